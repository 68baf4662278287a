"""Logins and the staff list over HTTP: lock-out, cookies, cross-site requests, passwords, second factors."""

from pathlib import Path

import httpx
import pytest

from taisai.adapters.people.totp import code_at, step_at
from taisai.client import Refused, Staff
from taisai.game.people import Role
from taisai.server.live.table_view import millis
from tests.server.houses import CLUSTER, Serving, serving, settings


async def test_a_login_sets_a_cookie_that_scripts_and_other_sites_cannot_use(house: Serving) -> None:
    """HttpOnly, SameSite=Strict, and no token in the answer."""
    visitor = await house.visitor()
    body = {"name": "dealer", "password": house.logins["dealer"]}
    answer = await visitor.http.post("/api/v1/login", json=body)
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    token = next(iter(visitor.http.cookies.values()))
    assert token not in answer.text


async def test_where_money_is_real_cookies_travel_over_tls_only(tmp_path: Path) -> None:
    """The cookie is Secure and bound to this host."""
    table = {**CLUSTER}
    async with serving(settings(tmp_path, table, house={"play_money": False})) as house:
        visitor = await house.visitor()
        body = {"name": "dealer", "password": house.logins["dealer"]}
        answer = await visitor.http.post("/api/v1/login", json=body)
        cookie = answer.headers["set-cookie"]
        assert cookie.startswith("__Host-taisai=")
        assert "Secure" in cookie


async def test_wrong_passwords_lock_a_name_and_tell_nothing(house: Serving) -> None:
    """A name that nobody has is answered, and locked out, like any other."""
    visitor = await house.visitor()

    async def tried(name: str, password: str) -> tuple[int, str]:
        answer = await visitor.http.post("/api/v1/login", json={"name": name, "password": password})
        return answer.status_code, answer.json()["code"]

    for name in ("cashier", "nobody"):
        outcomes = [await tried(name, "wrong") for _ in range(6)]
        assert outcomes == [(401, "login_failed")] * 4 + [(401, "login_locked")] * 2
    assert await tried("cashier", house.logins["cashier"]) == (401, "login_locked")
    admin = await house.person("admin")
    await admin.post("/staff/cashier", {"unlock": True})
    await house.person("cashier")


async def test_guessing_from_one_place_is_slowed_down(tmp_path: Path) -> None:
    """After so many tries a minute nothing is even verified."""
    config = settings(tmp_path, CLUSTER, server={"login_tries_per_minute": 3})
    async with serving(config, people={}) as house:
        visitor = await house.visitor()
        body = {"name": "x", "password": "y"}
        codes = [(await visitor.http.post("/api/v1/login", json=body)).status_code for _ in range(5)]
        assert codes == [401, 401, 401, 429, 429]
        last = await visitor.http.post("/api/v1/login", json=body)
        assert 0 < int(last.headers["retry-after"]) <= 61


async def test_a_write_without_the_pages_token_is_refused(house: Serving) -> None:
    """The cookie alone does nothing: a form of another site has no token."""
    dealer = await house.person("dealer")
    token = dealer.http.headers.pop("X-CSRF-Token")
    with pytest.raises(Refused) as refused:
        await dealer.act("T1", "StartRound")
    assert refused.value.code == "csrf"
    dealer.http.headers["X-CSRF-Token"] = token[:-1] + ("0" if token[-1] != "0" else "1")
    with pytest.raises(Refused):
        await dealer.act("T1", "StartRound")
    dealer.http.headers["X-CSRF-Token"] = token
    await dealer.act("T1", "StartRound")


async def test_a_request_from_another_site_is_refused_even_at_the_login(house: Serving) -> None:
    """The browser says where it comes from."""
    visitor = await house.visitor()
    body = {"name": "dealer", "password": house.logins["dealer"]}
    headers = {"Origin": "https://elsewhere.example"}
    answer = await visitor.http.post("/api/v1/login", json=body, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (403, "csrf")


async def test_a_logout_ends_the_session(house: Serving) -> None:
    """The cookie is worth nothing afterwards."""
    dealer = await house.person("dealer")
    cookies = dict(dealer.http.cookies)
    await dealer.log_out()
    async with httpx.AsyncClient(base_url=house.address, cookies=cookies) as old:
        answer = await old.get("/api/v1/me")
    assert (answer.status_code, answer.json()["code"]) == (401, "session_ended")


async def test_who_must_change_the_password_does_that_first(house: Serving) -> None:
    """A one-time password opens nothing but its own change."""
    admin = await house.person("admin")
    told = await admin.post("/staff", {"name": "newbie", "role": "dealer"})
    await (await house.person("auditor")).approve(told["approval"])
    newbie = Staff(house.address)
    await house.stack.enter_async_context(newbie)
    person = await newbie.log_in("newbie", told["password"])
    assert person["dues"] == ["password"]
    with pytest.raises(Refused) as refused:
        await newbie.act("T1", "StartRound")
    assert refused.value.code == "password_due"
    with pytest.raises(Refused) as weak:
        await newbie.post("/me/password", {"old": told["password"], "new": "short"})
    assert weak.value.code == "password_weak"
    await newbie.post("/me/password", {"old": told["password"], "new": "a long and winding road"})
    await newbie.act("T1", "StartRound")


async def test_a_second_factor_is_asked_for_once_it_is_set_up(house: Serving) -> None:
    """The code of the moment lets in, once; without it the right password does not."""
    dealer = await house.person("dealer")
    offer = await dealer.get("/me/totp")
    now = step_at(house.parts.house.now())
    password, code = house.logins["dealer"], code_at(offer["secret"], now)
    with pytest.raises(Refused) as unproved:
        await dealer.post("/me/totp", {"password": "a guess", "code": code})
    assert unproved.value.code == "login_failed"
    await dealer.post("/me/totp", {"password": password, "code": code})
    other = Staff(house.address)
    await house.stack.enter_async_context(other)
    with pytest.raises(Refused) as refused:
        await other.log_in("dealer", password)
    assert refused.value.code == "login_failed"
    code = code_at(offer["secret"], now + 1)  # good now, and when the step has turned
    await other.log_in("dealer", password, totp=code)
    with pytest.raises(Refused):
        await other.log_in("dealer", password, totp=code)


async def test_a_second_factor_is_the_servers_to_make_and_the_old_one_is_asked_for(house: Serving) -> None:
    """One's own secret is none of ours; without a code of the old factor a thief changes nothing."""
    dealer, password = await house.person("dealer"), house.logins["dealer"]
    now = step_at(house.parts.house.now())
    with pytest.raises(Refused) as nothing:
        await dealer.post("/me/totp", {"password": password, "code": "123456"})
    assert nothing.value.code == "input_invalid"
    first = (await dealer.get("/me/totp"))["secret"]
    assert (await dealer.get("/me/totp"))["secret"] == first
    await dealer.post("/me/totp", {"password": password, "code": code_at(first, now)})
    second = (await dealer.get("/me/totp"))["secret"]
    assert second != first
    body = {"password": password, "code": code_at(second, now)}
    for old in ("", code_at(first, now)):  # none, and one that was used
        with pytest.raises(Refused) as refused:
            await dealer.post("/me/totp", {**body, "old_code": old})
        assert refused.value.code == "login_failed"
    await dealer.post("/me/totp", {**body, "old_code": code_at(first, now + 1)})


async def test_the_old_password_is_guessed_no_faster_than_a_login(tmp_path: Path) -> None:
    """The same pace by address, and the same lock."""
    config = settings(tmp_path, CLUSTER, server={"login_tries_per_minute": 4})
    async with serving(config) as house:
        dealer = await house.person("dealer")  # one of the four
        codes = []
        for _ in range(4):
            body = {"old": "a guess", "new": "a long and winding road"}
            codes.append((await dealer.http.post("/api/v1/me/password", json=body)).status_code)
        assert codes == [401, 401, 401, 429]


async def test_a_device_that_logged_in_before_is_not_locked_out_by_a_stranger(house: Serving) -> None:
    """Though both come from one address: a stranger's failures are the stranger's."""
    dealer, visitor = await house.person("dealer"), await house.visitor()
    for _ in range(5):
        await visitor.http.post("/api/v1/login", json={"name": "dealer", "password": "wrong"})
    body = {"name": "dealer", "password": house.logins["dealer"]}
    assert (await visitor.http.post("/api/v1/login", json=body)).json()["code"] == "login_locked"
    assert (await dealer.http.post("/api/v1/login", json=body)).status_code == 200


async def test_a_manager_may_act_in_a_lower_position(house: Serving) -> None:
    """1.5: the position that is acted in is the one that counts."""
    manager = Staff(house.address)
    await house.stack.enter_async_context(manager)
    password = house.logins["casino-manager"]
    person = await manager.log_in("casino-manager", password, acting="dealer")
    assert person["role"] == "dealer"
    with pytest.raises(Refused) as refused:
        await manager.get("/pit")
    assert refused.value.code == "role_not_allowed"


async def test_an_administrator_changes_the_staff_list_and_the_policy(house: Serving) -> None:
    """Role, disabling, a new one-time password, the rules for passwords; each ends open sessions."""
    admin = await house.person("admin")
    dealer = await house.person("dealer")
    auditor = await house.person("auditor")
    asked = await admin.post("/staff/dealer", {"role": "pit-supervisor"})
    assert (await dealer.get("/me"))["role"] == "dealer"
    await auditor.approve(asked["waiting"][0]["approval"])
    with pytest.raises(Refused) as ended:
        await dealer.get("/me")
    assert ended.value.code == "session_ended"
    told = await admin.http.delete("/api/v1/staff/dealer/password", params={"reason": "forgotten"})
    assert (told.status_code, bool(told.json()["password"])) == (202, True)
    (waiting,) = await auditor.get("/approvals")
    assert (waiting["act"], waiting["reason"]) == ("ResetPassword", "forgotten")
    await admin.post("/staff/dealer", {"enabled": False, "reason": "left"})
    listed = {row["name"]: row for row in await admin.get("/staff")}
    assert (listed["dealer"]["role"], listed["dealer"]["enabled"]) == ("pit-supervisor", False)
    policy = await admin.get("/staff-policy")
    asked = await admin.post("/staff-policy", {**policy, "failures_max": 3})
    assert (await admin.get("/staff-policy"))["failures_max"] == policy["failures_max"]
    await auditor.approve(asked["waiting"][0]["approval"])
    assert (await admin.get("/staff-policy"))["failures_max"] == 3
    with pytest.raises(Refused) as last:
        await admin.post("/staff/admin", {"enabled": False})
    assert last.value.code == "last_administrator"


async def test_the_first_start_makes_one_administrator_and_the_next_none(tmp_path: Path) -> None:
    """The password is told once."""
    config = settings(tmp_path, CLUSTER)
    async with serving(config, people={"admin": Role.ADMINISTRATOR}) as house:
        assert list(house.logins) == ["admin"]
    async with serving(config, people={"admin": Role.ADMINISTRATOR}) as house:
        assert house.logins == {}


async def test_whoever_logs_in_is_told_when_they_did_before(house: Serving) -> None:
    """Nothing the first time; then the time of the login before this one, from the record."""
    first = await house.person("dealer")
    assert (await first.get("/me"))["previous_login_at"] is None
    before = house.parts.house.staff.state.members["dealer"].last_login_at
    assert before is not None
    house.staff.clear()
    again = await house.person("dealer")
    assert (await again.get("/me"))["previous_login_at"] == millis(before)
