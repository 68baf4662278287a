/** The real tumbler, live: by the browser's own WebRTC (WHEP), or HLS where the browser plays that by itself. */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { t } from "../lib/i18n.ts";

/** How long addresses of this machine are gathered before the offer goes out. */
const GATHER_MS = 1_000;

const isHls = (url: string): boolean => new URL(url).pathname.endsWith(".m3u8");

/** Asks a WHEP endpoint for its stream; what ends it again. */
async function watch(url: string, show: (stream: MediaStream) => void): Promise<() => void> {
  const peer = new RTCPeerConnection();
  for (const kind of ["video", "audio"]) peer.addTransceiver(kind, { direction: "recvonly" });
  peer.ontrack = (event) => event.streams[0] && show(event.streams[0]);
  await peer.setLocalDescription(await peer.createOffer());
  await new Promise<void>((done) => {
    if (peer.iceGatheringState === "complete") done();
    peer.onicegatheringstatechange = () => peer.iceGatheringState === "complete" && done();
    setTimeout(done, GATHER_MS);
  });
  const body = peer.localDescription?.sdp ?? "";
  const answer = await fetch(url, { method: "POST", headers: { "Content-Type": "application/sdp" }, body });
  if (!answer.ok) throw new Error(`WHEP ${answer.status}`);
  await peer.setRemoteDescription({ type: "answer", sdp: await answer.text() });
  return () => peer.close();
}

/** For the eye alone: the record decides, however late the picture comes. Where there is none, nothing is shown. */
export function LiveVideo({ url }: { url: string }) {
  const video = useRef<HTMLVideoElement>(null);
  const shown = useSignal(false);
  useEffect(() => {
    const element = video.current;
    if (!element || !url) return undefined;
    let stop = () => {};
    let gone = false;
    const plays = () => (shown.value = true);
    element.addEventListener("playing", plays);
    if (isHls(url)) {
      if (element.canPlayType("application/vnd.apple.mpegurl")) element.src = url;
    } else
      watch(url, (stream) => {
        element.srcObject = stream;
        element.play().catch(() => undefined); // by itself it would wait until it is in view
      }).then(
        (end) => (gone ? end() : (stop = end)),
        () => undefined, // no picture: the table is played as before
      );
    return () => {
      gone = true;
      stop();
      element.removeEventListener("playing", plays);
    };
  }, [url]);
  return (
    <div class="live-video" data-shown={shown}>
      <video ref={video} autoPlay muted playsInline aria-label={t("live_video")} />
    </div>
  );
}
