import type { MailReading } from '../mail/readableMail.ts';
import type { PullRequestMail } from './seriesReading.ts';

/** Where the parts of a request are looked for; it stands near the head of a mail, below the reasons for it. */
const farthest = 200_000;
const longestPlace = 2048;

const since = /^The following changes since commit ([0-9a-f]{7,64}):?[ \t\r]*$/m;
const place = /^[ ]*are available in the git repository at:[ \t\r]*\n(?:[ \t\r]*\n){0,3}[ \t]*(\S[^\n]*)$/im;
const upTo = /^for you to fetch changes up to ([0-9a-f]{7,64}):?[ \t\r]*$/m;

/** What `[GIT PULL]` and the like begin with. */
const pullTag = /^\s*\[[^\]]{0,100}\bpull\b[^\]]{0,100}\]/i;

/** A mail with what is known of it. */
export interface PerhapsPull {
	readonly subject: string;
	/** What the server tells, which hardly ever does (docs/protocol.md#mail-fields). */
	readonly isTold: boolean | undefined;
	/** `undefined` where its text was not read. */
	readonly reading: MailReading | undefined;
}

/** Whether a mail asks for a branch to be pulled; `undefined` where only its text can tell. */
export function asksForPull({ subject, isTold, reading }: PerhapsPull): boolean | undefined {
	if (isTold === true || pullTag.test(subject)) {
		return true;
	}
	return reading && pullRequestIn(reading) !== undefined;
}

/** Mails never change, and each is looked through once, however often its row is drawn. */
const remembered = new WeakMap<MailReading, { readonly pull: PullRequestMail | undefined }>();

/** What a mail asks to be pulled. */
export function pullRequestIn(reading: MailReading): PullRequestMail | undefined {
	const known = remembered.get(reading) ?? {
		pull: reading.kind === 'read' ? pullRequestOf(reading.mail.text) : undefined,
	};
	remembered.set(reading, known);
	return known.pull;
}

/** Reads a mail that `git request-pull` wrote; quoted ones count for nothing. `undefined` for every other text. */
export function pullRequestOf(text: string): PullRequestMail | undefined {
	const head = text.slice(0, farthest);
	const found = place.exec(head);
	const [repository = '', reference] = (found?.[1] ?? '').slice(0, longestPlace).trim().split(/\s+/);
	const from = since.exec(head);
	if (found === null || repository === '' || from === null || from.index > found.index) {
		return undefined;
	}
	return {
		repository: repository.replace(/^<(.*)>$/, '$1'),
		reference,
		since: from[1],
		upTo: upTo.exec(head)?.[1],
	};
}
