import type { PullRequestMail } from './seriesReading.ts';

/**
 * A server's address, in whose text nothing means anything to a shell: no option, no folder of this machine, and no `ext::`,
 * by which git runs programs.
 */
const address =
	/^(?:(?:https?|ssh|git):\/\/[A-Za-z0-9]|(?:[A-Za-z0-9][\w.-]*@)?[A-Za-z0-9][\w.-]+:[\w~])[\w.@:/~+-]{0,2000}$/;
const reference = /^[A-Za-z0-9][\w./+-]{0,250}$/;

/**
 * The command that fetches what a mail asks to pull: the branch or tag that it names, else the commit. `undefined` where an
 * address or a name holds what a shell might take for something else.
 */
export function fetchCommand({ repository, reference: named, upTo }: PullRequestMail): string | undefined {
	const what = named ?? upTo ?? 'HEAD';
	const isSafe = address.test(repository) && reference.test(what) && !what.includes('..');
	return isSafe ? `git fetch ${repository} ${what}` : undefined;
}
