import type { PullRequestMail } from './seriesReading.ts';

/**
 * A server address without any meaning to a shell: no option, no local folder and no `ext::`, which makes git run
 * programs.
 */
const address =
	/^(?:(?:https?|ssh|git):\/\/[A-Za-z0-9]|(?:[A-Za-z0-9][\w.-]*@)?[A-Za-z0-9][\w.-]+:[\w~])[\w.@:/~+-]{0,2000}$/;
const reference = /^[A-Za-z0-9][\w./+-]{0,250}$/;

/**
 * Shell command that fetches the branch, tag or commit of a pull request. `undefined` if an address or name could mean
 * something to a shell.
 */
export function fetchCommand({ repository, reference: named, upTo }: PullRequestMail): string | undefined {
	const what = named ?? upTo ?? 'HEAD';
	const isSafe = address.test(repository) && reference.test(what) && !what.includes('..');
	return isSafe ? `git fetch ${repository} ${what}` : undefined;
}
