import * as vscode from 'vscode';
import { pushAll } from '@forge-desk/base/longArrays.ts';
import { askFor, choose, type Choice } from '../../../editor/ask/ask.ts';
import { mailDraftText, peopleIn } from 'patchmail/mail/mailDraftText.ts';
import type { MailPerson } from 'patchmail/mail/readableMail.ts';
import { peopleText } from 'patchmail/mail/writtenAddress.ts';
import { replyPeople, type ReplyOwner } from 'patchmail/review/replyPeople.ts';
import { commitSubject } from 'patchmail/series/patchMail.ts';
import type { SeriesReading } from 'patchmail/series/seriesReading.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { ListRef, Patchset } from 'sourcehut/port/list.ts';
import { patchSubject } from 'patchmail/series/patchSubject.ts';
import type { LocalCommit } from 'hardened-git/localSeries.ts';
import { isTag } from 'hardened-git/gitCommands.ts';
import type { Connection } from '../../../store/connection.ts';
import type { PatchsetReview } from '../../../store/lists/patchsets/patchsetReview.ts';
import { sentBy } from '../../../store/people/sentBy.ts';
import type { PreparedSeries } from './savedSeries.ts';

/*
 * A series and its earlier version: its subject prefix, its recipients and its cover letter.
 */

/** Maximum number of own patchsets offered as earlier versions. */
const mostEarlier = 10;

/** Page limit for older versions: the user waits. */
const mostPages = 5;

/**
 * The newest version of each series that an address sent to a list, newest first. If no loaded one has a commit's
 * title, loads a few more pages, outside the visible listing.
 */
export async function earlierSeries(
	connection: Connection,
	list: ListRef,
	address: string,
	commits: readonly LocalCommit[],
	signal: AbortSignal,
): Promise<readonly Patchset[]> {
	const isMine = sentBy({ account: connection.me, address, mails: [] });
	const isNamed = isNamedLike(commits);
	const shown = await connection.lists.patchsets(list).first(signal);
	const items = shown.items.filter(isMine);
	if (shown.completeness.kind === 'more' && !items.some(isNamed)) {
		let count = 0;
		for await (const page of connection.lists.uncached.patchsets(list, signal)) {
			const mine = page.items.filter(isMine);
			pushAll(items, mine);
			count += 1;
			if (count >= mostPages || mine.some(isNamed)) {
				break;
			}
		}
	}
	const newest = new Map<string, Patchset>();
	for (const patchset of items) {
		const key = JSON.stringify([patchset.prefix ?? '', patchset.subject.toLowerCase()]);
		const known = newest.get(key);
		if (!known || known.version < patchset.version) {
			newest.set(key, patchset);
		}
	}
	return [...newest.values()].toSorted((one, other) => other.createdMs - one.createdMs);
}

function isNamedLike(commits: readonly LocalCommit[]): (patchset: Patchset) => boolean {
	const subjects = new Set(commits.map(({ subject }) => subject.toLowerCase()));
	return ({ subject }) => subjects.has(subject.toLowerCase());
}

/**
 * Asks whether commits are a new series or a new version of an own one, best match first. `undefined` for a new series,
 * without a question if there is no earlier one. Throws `cancelled()` if the user closes the list.
 */
export async function askEarlier(
	earlier: readonly Patchset[],
	commits: readonly LocalCommit[],
): Promise<Patchset | undefined> {
	if (earlier.length === 0) {
		return undefined;
	}
	const isSame = isNamedLike(commits);
	const choices = earlier
		.toSorted((one, other) => Number(isSame(other)) - Number(isSame(one)))
		.slice(0, mostEarlier)
		.map((patchset): Choice<Patchset | undefined> => ({
			label: vscode.l10n.t('Version {0} of "{1}"', patchset.version + 1, visibleLine(patchset.subject)),
			iconPath: new vscode.ThemeIcon('versions'),
			value: patchset,
		}));
	const fresh: Choice<Patchset | undefined> = {
		label: vscode.l10n.t('New Series'),
		iconPath: new vscode.ThemeIcon('add'),
		value: undefined,
	};
	const title = vscode.l10n.t('Choose what these commits are');
	return choose(title, earlier.some(isSame) ? [...choices, fresh] : [fresh, ...choices]);
}

/** `PATCH`, the prefix, and the version unless it is the first. `configured`: git's `format.subjectPrefix`. */
export function likelyTag(
	configured: string | undefined,
	earlier: Patchset | undefined,
	patchsetsOfList: readonly Patchset[],
): string {
	const counts = new Map<string, number>();
	for (const { prefix = '' } of patchsetsOfList) {
		counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
	}
	const [most] = Array.from(counts).toSorted(([, one], [, other]) => other - one);
	const ofMost = most && most[1] * 2 > patchsetsOfList.length ? most[0] : undefined;
	const usual = earlier ? earlier.prefix : ofMost;
	const words = ['PATCH', ...(usual === undefined || usual === '' ? [] : [usual])].join(' ');
	const plain = earlier || configured === undefined || tagFault(configured) !== undefined ? words : configured;
	return earlier ? `${plain} v${earlier.version + 1}` : plain;
}

/** Asks for the subject prefix. Throws `cancelled()` if the user closes the question. */
export function askTag(likely: string): Promise<string> {
	return askFor({
		title: vscode.l10n.t('Prefix of the subjects, without brackets'),
		prompt: vscode.l10n.t('PATCH, the prefix that the list uses, and the version if it is not the first.'),
		placeHolder: 'PATCH lantern v2',
		value: likely,
		complaint: (text) => tagFault(text.trim()),
	});
}

function tagFault(tag: string): string | undefined {
	const read = patchSubject(`[${tag} 1/2] x`);
	return isTag(tag) && read?.isNumbered === true && !/\d\/\d/.test(read.prefix)
		? undefined
		: vscode.l10n.t('Write PATCH first, then the prefix, then the version, such as PATCH lantern v2.');
}

/** Recipients of the earlier version besides list and author, who probably get the next one too. */
export function earlierCopies({ cover, patches }: SeriesReading, owner: ReplyOwner): readonly MailPerson[] {
	const reading = (cover ?? patches[0]?.mail)?.reading;
	return reading?.kind === 'read'
		? replyPeople({ from: [], replyTo: [], to: reading.mail.to, cc: reading.mail.cc }, owner).cc
		: [];
}

/** Asks for Cc recipients; may be empty. Throws `cancelled()` if the user closes the question. */
export async function askCopies(likely: readonly MailPerson[]): Promise<readonly MailPerson[]> {
	const text = await askFor({
		title: vscode.l10n.t('Cc'),
		prompt: vscode.l10n.t('Who gets these patches besides the list? Leave it empty for no one.'),
		placeHolder: 'Bob Builder <bob@example.org>, carol@example.org',
		value: peopleText(likely),
		complaint: (typed) =>
			peopleIn(typed.trim()) ? undefined : vscode.l10n.t('Write email addresses with commas between them.'),
	});
	return peopleIn(text) ?? [];
}

/** Initial cover letter: the one of the earlier version, with room for the changes. */
export function coverText(
	{ to, cc }: PreparedSeries,
	commits: readonly LocalCommit[],
	earlier: PatchsetReview | undefined,
): string {
	const before = earlier?.series.cover?.reading;
	const mail = before?.kind === 'read' ? before.mail : undefined;
	const lines = (mail?.text ?? '').split('\n');
	// Programs write the list of commits, the statistics and the base below the text.
	const end = lines.findIndex(
		(line, at) =>
			/^-- ?$|^base-commit: | {2}1\. |^ \d+ files? changed/.test(line) ||
			(/^\S.* \(\d+\):$/.test(line) && /^ {2}\S/.test(lines[at + 1] ?? '')),
	);
	const body = [
		(end === -1 ? lines : lines.slice(0, end)).join('\n').trim(),
		// In English, like the rest of a mailing list.
		...(earlier ? [`Changes since v${earlier.patchset.version}:\n- `] : []),
		...(commits.length === 0 ? [] : [commits.map(({ subject }, at) => `  ${at + 1}. ${subject}`).join('\n')]),
	];
	return mailDraftText({
		to,
		cc,
		subject: mail ? commitSubject(mail.subject) : '',
		body: `${body.join('\n\n')}\n`,
	});
}
