"""A PAR sheet from Python: the figures as data, and the page that one hands around."""

# %%
import tempfile
from pathlib import Path

import taisai
from taisai.odds.par.sheet import par_sheet
from taisai.odds.par.write import write_par

table = taisai.pay_table("tai-sai-v6/2")
sheet = par_sheet(
    table, taisai.rulebook("tai-sai-v6"), maxima={"big": 50_000, "small": 50_000}, default_maximum=1_000
)
print(f"{table.id}: {len(sheet.boxes)} boxes, cross-check passes: {sheet.check.passes}")

# %% Each box, exactly
for name in ("big", "single-1", "domino-14", "sum-9", "triple-6", "pair-113"):
    box = sheet.boxes[name]
    print(
        f"{name:10} edge {box.odds.edge!s:>7}  one in {float(box.one_in):7.2f}  "
        f"break-even {float(box.break_even):7.2f} to 1  settles after {box.rounds_to_settle:>10,} rounds"
    )

# %% What moves together
for first, second, correlation in sheet.strongest_correlations(4):
    print(f"{first} and {second}: {correlation:+.4f}, covariance {sheet.covariance(first, second)}")

# %% The worst case under these limits
worst = sheet.liability.worst
print(f"{worst.roll} can cost the house {float(worst.house_pays):,.0f}")

# %% As a page, a workbook, Markdown and JSON
with tempfile.TemporaryDirectory() as folder:
    for ending in ("html", "xlsx", "md", "json"):
        path = write_par(sheet, Path(folder) / f"par.{ending}")
        print(f"{path.name}: {path.stat().st_size:,} bytes")
