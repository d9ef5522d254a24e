"""From a config to a report: experiments on games that keep the contract of `simcore.game`."""
