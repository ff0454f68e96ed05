import { GitFailure } from 'hardened-git/gitFailure.ts';
import {
	formattedPatches,
	localCommits,
	statedBase,
	type LocalCommit,
	type StatedBase,
} from 'hardened-git/localSeries.ts';
import { quotedPrintable } from 'patchmail/mail/encodeBody.ts';
import { mailText } from 'patchmail/mail/mailText.ts';
import { isKeptBody, readableBody } from 'patchmail/mail/outgoingMail.ts';
import type { ReadableMail } from 'patchmail/mail/readableMail.ts';
import { fromQuotedPrintable } from 'patchmail/mail/transferEncodings.ts';
import { parseDiff } from 'patchmail/patch/parseDiff.ts';
import { mailForGit } from 'patchmail/series/mailForGit.ts';
import type { OutgoingPatch } from 'patchmail/series/outgoingSeries.ts';
import { patchMailOf } from 'patchmail/series/patchMail.ts';
import type { ListsContext } from '../../lists/context/listsContext.ts';
import type { PreparedSeries } from './savedSeries.ts';

/** More commits are no series. */
export const mostCommits = 100;

/** A commit as its mail, read as everybody else will read it. */
export interface SeriesMailOfCommit {
	readonly commit: string;
	/** Git's own mail without added trailers, one character per byte. */
	readonly formatted: string;
	/** `undefined` if a reader would see another patch than git made. */
	readonly read: { readonly mail: ReadableMail; readonly patch: OutgoingPatch } | undefined;
}

/** The members of a series that its patches are made from. */
interface SeriesSource {
	readonly root: string;
	readonly base: string;
	readonly tip: string;
	readonly tag: string;
	readonly from: PreparedSeries['from'];
	readonly trailers?: PreparedSeries['trailers'];
}

/** Commits of a series, oldest first, and their mails. Throws `GitFailure`. */
export async function patchesOf(
	{ git, mailReader }: ListsContext,
	{ root, base, tip, tag, from, trailers }: SeriesSource,
	isNumbered: boolean,
	signal: AbortSignal,
): Promise<{
	readonly commits: readonly LocalCommit[];
	readonly patches: readonly SeriesMailOfCommit[];
	readonly stated: StatedBase;
}> {
	const commits = await localCommits(git, root, { since: base, tip, count: mostCommits + 1 }, signal);
	if (commits.length > mostCommits) {
		throw new GitFailure({ kind: 'tooMuch' });
	}
	const name = from.name.replaceAll(/[<>"\p{Cc}]/gu, ' ').trim();
	const sender = `${name === '' ? from.address : name} <${from.address}>`;
	const stated = await statedBase(git, root, base, signal);
	const wanted = { base, tip, tag, isNumbered, from: sender, commits, stated: stated.commit };
	const formatted = await formattedPatches(git, root, wanted, signal);
	const patches = await Promise.all(
		formatted.map(async ({ commit, bytes }) => {
			const added = (trailers ?? []).filter((each) => each.commit === commit);
			return { commit, formatted: bytes, read: await readAsMail(mailReader, withTrailers(bytes, added)) };
		}),
	);
	return { commits, patches, stated };
}

/** Bytes of a mail with trailers at the end of its message; `undefined` if git might read that differently. */
function withTrailers(bytes: string, trailers: NonNullable<PreparedSeries['trailers']>): string | undefined {
	if (trailers.length === 0) {
		return bytes;
	}
	// Encoded: a bare CR LF of a file would count as a line end of the transport.
	const [head, body] = headAndBody(bytes);
	const made = mailForGit(envelopeOf(head, 'quoted-printable', quotedPrintable(body)), {
		trailers,
		stripsReturns: false,
	});
	const text = Buffer.from(made ?? '');
	return made && head + Buffer.from(fromQuotedPrintable(text.subarray(text.indexOf('\n\n') + 2))).toString('latin1');
}

/** Up to and behind the empty line. */
function headAndBody(bytes: string): readonly [head: string, body: Buffer] {
	const start = bytes.indexOf('\n\n') + 2;
	return [bytes.slice(0, start), Buffer.from(bytes.slice(start), 'latin1')];
}

function envelopeOf(head: string, encoding: '8bit' | 'quoted-printable', body: string): string {
	const fields = mailText(Buffer.from(head.replaceAll(/^(?:MIME|Content)-.*\n/gm, ''), 'latin1')).trimEnd();
	const content = [
		'MIME-Version: 1.0',
		'Content-Type: text/plain; charset=UTF-8',
		`Content-Transfer-Encoding: ${encoding}`,
	];
	return `${fields}\n${content.join('\n')}\n\n${body}`;
}

/** The mail as its readers get it, and its content. Text travels as text, and other bytes as they are. */
async function readAsMail(
	mailReader: ListsContext['mailReader'],
	bytes: string | undefined,
): Promise<SeriesMailOfCommit['read']> {
	if (bytes === undefined) {
		return undefined;
	}
	const [head, body] = headAndBody(bytes);
	const text = mailText(body);
	const isText = isKeptBody(text);
	const envelope = isText
		? envelopeOf(head, '8bit', text)
		: envelopeOf(head, 'quoted-printable', quotedPrintable(body));
	const reading = await mailReader.readMail(envelope, { evenIfLarge: true });
	if (reading.kind === 'raw') {
		return undefined;
	}
	const { mail } = reading;
	if (isText) {
		const isSame = withoutEnd(mail.body) === withoutEnd(text);
		return isSame ? { mail, patch: { subject: mail.subject, body: mail.body } } : undefined;
	}
	// A reader finds the very diff that git made.
	const read = patchMailOf(reading, mail.subject)?.bytes;
	const exact = body.toString('latin1');
	const made = parseDiff(exact);
	const isSame = read?.diffText.slice(read.diff.start, read.diff.end) === exact.slice(made.start, made.end);
	return isSame ? { mail, patch: { subject: mail.subject, body: readableBody(mail.body), bytes: exact } } : undefined;
}

function withoutEnd(text: string): string {
	return text.replace(/\n+$/, '');
}
