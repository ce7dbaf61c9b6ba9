"""Run a comparison on a Dask cluster (extra `cluster`), here one of two processes on this machine."""

# Needs one of: distributed

from importlib.util import find_spec

from rummy_engine.compare import compare
from rummy_engine.comparing.cluster import dask_executor


def main() -> None:
    """The workers of a cluster import this file, so nothing may run when it is imported."""
    alone = compare(["basic", "gin-knock"], rounds=50, seed=1)
    if find_spec("distributed") is None:
        print('To see it at work: pip install "rummy-engine[cluster]"')
    else:
        from distributed import LocalCluster

        # On the command line: rummy compare basic gin-knock --dask tcp://…:8786
        local = LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0")
        with local as cluster, dask_executor(cluster.scheduler_address) as executor:
            shared = compare(["basic", "gin-knock"], rounds=50, seed=1, executor=executor)
        assert shared == alone  # the same bytes, whoever does the work
    for row in alone.rows:
        print(row.variant, row.rounds, "rounds,", row.tally.take("plies"), "plies")


if __name__ == "__main__":
    main()

# It prints:
# basic 50 rounds, 2130 plies
# gin-knock 50 rounds, 1512 plies
