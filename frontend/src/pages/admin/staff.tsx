/** The staff list, and every act on it; what takes a second person is put before one. */
import { useSignal } from "@preact/signals";
import type { MemberView } from "../../http.ts";
import { t } from "../../lib/i18n.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { ActForm, TextField } from "../../ui/staff/fields.tsx";
import { roleName } from "../../ui/staff/login.tsx";
import { FLOOR, type Role } from "../../ui/staff/session.ts";
import { dateTime } from "../../ui/staff/times.ts";
import { add, change, members, password, resetPassword } from "./model.ts";

const ROLES: readonly Role[] = [...FLOOR, "cashier", "auditor", "administrator"];

function RoleField({ of }: { of: { value: Role } }) {
  return (
    <label class="field">
      {t("admin_role")}
      <select value={of.value} onChange={(event) => (of.value = event.currentTarget.value as Role)}>
        {ROLES.map((role) => (
          <option value={role}>{roleName(role)}</option>
        ))}
      </select>
    </label>
  );
}

function NewMember() {
  const [name, reason, role] = [useSignal(""), useSignal(""), useSignal<Role>("dealer")];
  const run = async () => {
    if (await add(name.value.trim(), role.value, reason.value.trim())) name.value = reason.value = "";
  };
  return (
    <details>
      <summary>{t("admin_add")}</summary>
      <ActForm submit={t("ask_second")} ready={name.value.trim() !== ""} run={run}>
        <TextField label={t("admin_name")} of={name} required />
        <RoleField of={role} />
        <TextField label={t("reason")} of={reason} />
      </ActForm>
    </details>
  );
}

const standing = (member: MemberView): string =>
  [
    member.enabled ? "" : t("admin_disabled"),
    member.locked ? t("admin_locked") : "",
    member.must_change ? t("admin_must_change") : "",
    member.has_totp ? t("admin_has_totp") : "",
  ]
    .filter(Boolean)
    .join(t("list_comma"));

/** Whoever is changed: each act by one press, with the reason that the second person reads. */
function Member({ member, close }: { member: MemberView; close: () => void }) {
  const [reason, role] = [useSignal(""), useSignal<Role>(member.role)];
  const act = (what: object) => async () => {
    if (await change(member.name, { ...what, reason: reason.value.trim() })) close();
  };
  const press = (words: string, run: () => Promise<void>, two: boolean) => (
    <button type="button" class="quiet" onClick={() => void run()}>
      {words}
      {two && <small>{t("admin_by_two")}</small>}
    </button>
  );
  return (
    <Dialog name="member" title={member.name} close={close}>
      <p>{[roleName(member.role), standing(member)].filter(Boolean).join(" · ")}</p>
      <TextField label={t("reason")} of={reason} />
      <RoleField of={role} />
      <div class="member-acts">
        {role.value !== member.role &&
          press(t("admin_change_role", { role: roleName(role.value) }), act({ role: role.value }), true)}
        {member.enabled
          ? press(t("admin_disable"), act({ enabled: false }), false)
          : press(t("admin_enable"), act({ enabled: true }), true)}
        {member.locked && press(t("admin_unlock"), act({ unlock: true }), false)}
        {member.has_totp && press(t("admin_remove_totp"), act({ remove_totp: true }), true)}
        {press(
          t("admin_reset"),
          async () => {
            if (await resetPassword(member.name, reason.value.trim())) close();
          },
          true,
        )}
      </div>
    </Dialog>
  );
}

function Password() {
  const told = password.value;
  if (!told) return null;
  return (
    <Dialog name="password" title={t("admin_password", { name: told.name })} close={() => (password.value = null)}>
      <p class="one-time">
        <b>{told.password}</b>
      </p>
      <p class="small">{t(told.approval ? "admin_password_waits" : "admin_password_now")}</p>
    </Dialog>
  );
}

export function Staff() {
  const open = useSignal<string | null>(null);
  const chosen = members.value.find((member) => member.name === open.value);
  return (
    <section class="card" aria-labelledby="staff-head">
      <h2 id="staff-head">{t("admin_staff")}</h2>
      <div class="scroll" tabIndex={0} role="group" aria-label={t("admin_staff")}>
        <table class="grid">
          <thead>
            <tr>
              <th scope="col">{t("admin_name")}</th>
              <th scope="col">{t("admin_role")}</th>
              <th scope="col">{t("admin_last_login")}</th>
              <th scope="col">{t("admin_standing")}</th>
            </tr>
          </thead>
          <tbody>
            {members.value.map((member) => (
              <tr>
                <th scope="row">
                  <button type="button" class="row-link" onClick={() => (open.value = member.name)}>
                    {member.name}
                  </button>
                </th>
                <td>{roleName(member.role)}</td>
                <td>{member.last_login_at === null ? "–" : dateTime(member.last_login_at)}</td>
                <td>{standing(member) || t("admin_active")}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <NewMember />
      {chosen && <Member key={chosen.name} member={chosen} close={() => (open.value = null)} />}
      <Password />
    </section>
  );
}
