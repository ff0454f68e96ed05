import type { MailReading } from '../mail/readableMail.ts';
import type { PullRequestMail } from './seriesReading.ts';

/** Search limit. A request is near the top of a mail, below its reasons. */
const farthest = 200_000;
const longestPlace = 2048;

const since = /^The following changes since commit ([0-9a-f]{7,64}):?[ \t\r]*$/m;
const place = /^[ ]*are available in the git repository at:[ \t\r]*\n(?:[ \t\r]*\n){0,3}[ \t]*(\S[^\n]*)$/im;
const upTo = /^for you to fetch changes up to ([0-9a-f]{7,64}):?[ \t\r]*$/m;

/** Start of `[GIT PULL]` and similar tags. */
const pullTag = /^\s*\[[^\]]{0,100}\bpull\b[^\]]{0,100}\]/i;

export interface PerhapsPull {
	readonly subject: string;
	/** The server's flag, rarely present (docs/protocol.md#mail-fields). */
	readonly isTold: boolean | undefined;
	/** `undefined` for an unread text. */
	readonly reading: MailReading | undefined;
}

/** True for a pull request; `undefined` if the answer needs the text. */
export function asksForPull({ subject, isTold, reading }: PerhapsPull): boolean | undefined {
	if (isTold === true || pullTag.test(subject)) {
		return true;
	}
	return reading && pullRequestIn(reading) !== undefined;
}

/** Cache, since mails never change and rows redraw often. */
const remembered = new WeakMap<MailReading, { readonly pull: PullRequestMail | undefined }>();

/** The pull request in a mail, if any. */
export function pullRequestIn(reading: MailReading): PullRequestMail | undefined {
	const known = remembered.get(reading) ?? {
		pull: reading.kind === 'read' ? pullRequestOf(reading.mail.text) : undefined,
	};
	remembered.set(reading, known);
	return known.pull;
}

/** Parses the output of `git request-pull`, outside quotations. `undefined` for other texts. */
export function pullRequestOf(text: string): PullRequestMail | undefined {
	const head = text.slice(0, farthest);
	const found = place.exec(head);
	const from = since.exec(head);
	if (found === null || from === null || from.index > found.index) {
		return undefined;
	}
	const [repository = '', reference] = found[1]!.slice(0, longestPlace).trimEnd().split(/\s+/);
	return {
		repository: repository.replace(/^<(.*)>$/, '$1'),
		reference,
		since: from[1],
		upTo: upTo.exec(head)?.[1],
	};
}
