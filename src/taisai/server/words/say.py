"""Words for people: amounts, refusals and bets in each language, and what only the server can refuse."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from taisai.game.explain import LANGUAGES, explain, numbered
from taisai.game.refusals import Refusal
from taisai.game.settlement import BetResult
from taisai.rulebooks.model import HOUSE
from taisai.server.words.figures import say_amount
from taisai.server.words.house_words import SHIPPED, HouseWords

Sentences = dict[str, list[str]]

# What no clause and no desk decides: the message, the store or the sender is at fault.
_SERVER: Final[Mapping[str, tuple[str, str, str]]] = {
    "store_unavailable": (
        "Refused: the record cannot be written now, so nothing is accepted; try again",
        "不接受：記錄暫時無法寫入，請稍後再試",
        "不接受：记录暂时无法写入，请稍后再试",
    ),
    "operator_needed": (
        "Stopped: this part of the house cannot go on by itself; an operator is needed",
        "已停止：系統此部分無法自行恢復，需要操作人員處理",
        "已停止：系统此部分无法自行恢复，需要操作人员处理",
    ),
    "our_fault": (
        "Not done: this is a fault of ours, not yours; it is recorded as incident {incident}",
        "未執行：這是本系統的錯誤，與您無關；已記錄為事件 {incident}",
        "未执行：这是本系统的错误，与您无关；已记录为事件 {incident}",
    ),
    "input_invalid": ("Refused: {message}", "不接受：{message}", "不接受：{message}"),
    "command_altered": (
        "Refused: this request was made before with other content",
        "不接受：同一請求編號曾以不同內容提交",
        "不接受：同一请求编号曾以不同内容提交",
    ),
    "answer_archived": (
        "Done before: this request was answered long ago, and its answer is in an archive",
        "先前已處理：此請求早已回覆，其回覆已移入存檔",
        "先前已处理：此请求早已回复，其回复已移入存档",
    ),
    "in_archive": (
        "Not here any more: what was asked for is in an archive",
        "已不在此：所查內容已移入存檔",
        "已不在此：所查内容已移入存档",
    ),
    "key_missing": (
        "Refused: send an Idempotency-Key with a request that moves money",
        "不接受：涉及金額的請求必須附上 Idempotency-Key",
        "不接受：涉及金额的请求必须附上 Idempotency-Key",
    ),
    "host_unknown": (
        "Refused: this house does not answer under the name {host}",
        "不接受：本場不以 {host} 此名稱提供服務",
        "不接受：本场不以 {host} 此名称提供服务",
    ),
    "terminals_full": (
        "Every terminal of this table is taken",
        "本枱的投注終端已全部佔用",
        "本台的投注终端已全部占用",
    ),
    "not_here": (
        "Refused: this house does not do that",
        "不接受：本場不提供此功能",
        "不接受：本场不提供此功能",
    ),
    "not_now": (
        "Refused: only a table without a clock rolls on request, while it takes bets and has some",
        "不接受：只有不限時的賭枱在接受下注時，已下注者才可要求開骰",
        "不接受：只有不限时的赌台在接受下注时，已下注者才可要求开骰",
    ),
    "practice_full": (
        "Every practice seat is taken; one is free in {seconds} {seconds|second|seconds} at the earliest",
        "練習座位已滿，最快 {seconds} 秒後會有空位",
        "练习座位已满，最快 {seconds} 秒后会有空位",
    ),
    "too_many": (
        "Refused: too many requests; wait {seconds} {seconds|second|seconds}",
        "不接受：請求過多，請等候 {seconds} 秒",
        "不接受：请求过多，请等候 {seconds} 秒",
    ),
    "not_open": (
        "Refused: nobody comes in by a press here; log in with name and password",
        "不接受：此處不能一按登入，請輸入名稱及密碼",
        "不接受：此处不能一按登录，请输入名称和密码",
    ),
    "not_found": ("Not found: {message}", "找不到：{message}", "找不到：{message}"),
    "csrf": (
        "Refused: the page is out of date; load it again",
        "不接受：頁面已過期，請重新載入",
        "不接受：页面已过期，请重新载入",
    ),
    "internal": (
        "Something went wrong here and was recorded; try again, or call the staff",
        "系統發生錯誤，已記錄",
        "系统发生错误，已记录",
    ),
}


@dataclass(frozen=True, eq=False)
class Voice:
    """How a house speaks: how many digits its minor unit has, its words, and the code of its currency."""

    exponent: int
    words: HouseWords = SHIPPED
    currency: str = ""

    def money(self, amount_minor: int) -> str:
        """An amount as the pages spell it."""
        return say_amount(amount_minor, exponent=self.exponent, currency=self.currency)


def sentences(what: BetResult | Refusal, voice: Voice) -> Sentences:
    """A bet's or a refusal's reasons, in every language."""
    return {
        language: explain(what, language, money=voice.money, words=voice.words.table[language])
        for language in LANGUAGES
    }


def server_refusal(code: str, **facts: Any) -> tuple[str, str, dict[str, Any], Sentences]:
    """Code, clause, facts and sentences of what the server itself refuses."""
    said = {
        language: [numbered(text, facts).format_map({name: str(value) for name, value in facts.items()})]
        for language, text in zip(LANGUAGES, _SERVER[code], strict=True)
    }
    return code, HOUSE, facts, said


def server_codes() -> dict[str, str]:
    """What the server itself refuses, in English, by code."""
    return {code: said[0] for code, said in _SERVER.items()}
