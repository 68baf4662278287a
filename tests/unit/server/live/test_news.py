"""What a feed tells."""

from base64 import b64decode
from typing import Any

import msgspec

from taisai.proof.dice import commitment
from taisai.proof.merkle import includes, parted
from taisai.proof.rounds import RoundName, leaf_of, slip_body
from taisai.server import wire
from taisai.server.live.displays import Display
from taisai.server.live.feed import Feed
from taisai.server.live.news import Follower, SnapshotParts
from tests.floor.houses import SmallHouse, bet, cluster, live, seat, settle_down
from tests.unit.server.live.listening import Listener, hub_of


def test_a_snapshot_in_parts_has_the_fields_of_the_whole() -> None:
    """Whatever the wire's snapshot gets, the one that is put together from encoded parts has too."""
    assert SnapshotParts.__struct_fields__ == wire.Snapshot.__struct_fields__
    assert SnapshotParts.__struct_config__.tag == wire.Snapshot.__struct_config__.tag
    assert SnapshotParts.__struct_config__.tag_field == wire.Snapshot.__struct_config__.tag_field


async def test_a_snapshot_in_parts_reads_as_a_snapshot() -> None:
    """A page cannot tell in how many parts it was encoded."""
    async with hub_of(SmallHouse(live())) as hub:
        feed = hub.feed("T1")
        whole = msgspec.json.decode(feed.snapshot(), type=wire.Snapshot)
        assert (whole.seq, whole.session, whole.service) == (feed.seq, None, "in-service")
        assert whole.table == feed.table


async def test_a_display_is_a_follower() -> None:
    """Everything that a follower can be asked, a display answers."""
    asked = {name for name in vars(Follower) if not name.startswith("_")}
    assert asked == {"tell", "leave"}
    async with hub_of(SmallHouse(live())) as hub:
        feed: Feed = hub.feed("T1")
        follower: Follower = Display(feed, None)
        assert list(feed.displays) == [follower]
        follower.leave()
        assert list(feed.displays) == []


def leads_to_the_root(feed: Feed, told: dict[str, Any], player: str, slip: dict[str, int]) -> bool:
    """What a terminal finds, from the round as everyone was shown it and its own slip."""
    shown = feed.table.round
    assert shown is not None
    assert shown.proof is not None
    proof = shown.proof
    name = RoundName(
        origin=proof.origin,
        table="C1",
        number=told["round"],
        opened_at=proof.opened_at,
        rulebook_digest=proof.rulebook,
        pay_table_digest=proof.pay_table,
        commitment=bytes.fromhex(proof.commitment),
    )
    body = slip_body(player, told["version"], slip)
    leaf = leaf_of(name.context(), bytes.fromhex(told["salt"]), body)
    path = parted(b64decode(told["proof"]))
    assert path is not None
    return includes(leaf, told["place"], proof.slips, path, bytes.fromhex(proof.root))


async def test_at_the_closing_each_terminal_hears_where_its_own_slip_is() -> None:
    """Its place, salt and a proof that leads to the root that everyone was shown, before there are dice."""
    small = SmallHouse(cluster(automatic=True), proofs=True)
    async with hub_of(small) as hub:
        feed = hub.feed("C1")
        clients = {name: Listener() for name in ("A", "B", "C")}
        for name, client in clients.items():
            hub.join_terminal(feed, name, client.outbox, 0)
        for name, slip in (("A", {"big": 500}), ("B", {"small": 1_000, "big": 500})):
            session = await seat(hub.house, "C1", name, 100_000)
            await bet(hub.house, "C1", session, slip)
        await small.pass_time(20.5)
        await settle_down()
        assert feed.table.round is not None
        assert feed.table.round.dice is None
        assert leads_to_the_root(feed, clients["A"].last("SlipProven"), "A.1", {"big": 500})
        assert leads_to_the_root(feed, clients["B"].last("SlipProven"), "B.1", {"small": 1_000, "big": 500})
        assert not leads_to_the_root(feed, clients["A"].last("SlipProven"), "A.1", {"big": 501})
        assert "SlipProven" not in [told["type"] for told in clients["C"].heard]
        again = Listener()
        hub.join_terminal(feed, "A", again.outbox, 0)
        feed.tell_proofs("A")
        await settle_down()
        assert again.last("SlipProven") == clients["A"].last("SlipProven")
        assert [told["type"] for told in clients["B"].heard].count("SlipProven") == 1


async def test_a_table_that_was_made_again_still_tells_where_slips_are() -> None:
    """After a restart between closing and dice the tree is made from the record, once."""
    small = SmallHouse(cluster(automatic=True), proofs=True)
    async with hub_of(small) as hub:
        session = await seat(hub.house, "C1", "A", 100_000)
        await bet(hub.house, "C1", session, {"big": 500})
        await small.pass_time(20.5)
    async with hub_of(small) as hub:
        feed, client = hub.feed("C1"), Listener()
        hub.join_terminal(feed, "A", client.outbox, 0)
        feed.tell_proofs("A")
        await settle_down()
        assert leads_to_the_root(feed, client.last("SlipProven"), "A.1", {"big": 500})
        await small.pass_time(30)
        played = hub.house.read.table("C1").rounds[1]
        assert commitment("house.example/taisai", "C1", 1, bytes.fromhex(played.secret)).hex() == (
            played.commitment
        )
