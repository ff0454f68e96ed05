import * as vscode from 'vscode';
import { pushAll } from '@forge-desk/base/longArrays.ts';
import { askFor, choose, type Choice } from '../../../editor/ask/ask.ts';
import { peopleIn } from 'patchmail/mail/mailDraftText.ts';
import type { MailPerson } from 'patchmail/mail/readableMail.ts';
import { peopleText } from 'patchmail/mail/writtenAddress.ts';
import { replyPeople, type ReplyOwner } from 'patchmail/review/replyPeople.ts';
import { trailersOf } from 'patchmail/series/commitTrailers.ts';
import { patchIdentity } from 'patchmail/series/patchIdentity.ts';
import type { PatchMail } from 'patchmail/series/seriesReading.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { ListRef, Patchset } from 'sourcehut/port/list.ts';
import { patchSubject } from 'patchmail/series/patchSubject.ts';
import type { LocalCommit } from 'hardened-git/localSeries.ts';
import { isTag } from 'hardened-git/gitCommands.ts';
import type { Connection } from '../../../store/connection.ts';
import type { PatchsetReview } from '../../../store/lists/patchsets/patchsetReview.ts';
import { sentBy } from '../../../store/people/sentBy.ts';
import { localReading } from './carriedTrailers.ts';
import type { SeriesMailOfCommit } from './commitMails.ts';

/*
 * A series and its earlier version: its subject prefix and its recipients.
 */

/** Maximum number of own patchsets offered as earlier versions. */
const mostEarlier = 10;

/** Page limit for older versions: the user waits. */
const mostPages = 5;

/** Own patchsets whose patches are read to find the earlier version: each is a request or two. */
const mostRead = 5;

/** Commits to send, as a reader of their mails gets them. */
export interface LocalSeries {
	readonly commits: readonly LocalCommit[];
	readonly patches: readonly SeriesMailOfCommit[];
	/** Title of the series that was sent from the same branch last. */
	readonly sentTitle: string | undefined;
}

/** Own series of a list. */
export interface EarlierSeries {
	/** The newest version of each, best match first, then newest first. */
	readonly all: readonly Patchset[];
	/** The one that the commits are a new version of. */
	readonly likely: Patchset | undefined;
}

/**
 * Own series of a list, and the one that the commits are probably a new version of: by the branch that it was sent from,
 * by its title, or by the titles and changes of its patches. Looks a few pages further without a match, outside the
 * visible listing.
 */
export async function earlierSeries(
	connection: Connection,
	list: ListRef,
	address: string,
	local: LocalSeries,
	signal: AbortSignal,
): Promise<EarlierSeries> {
	const isMine = sentBy({ account: connection.me, address, mails: [] });
	const titles = new Set(
		[local.sentTitle, ...local.commits.map(({ subject }) => subject)].map((title) => title?.toLowerCase()),
	);
	const isNamed = ({ subject }: Patchset): boolean => titles.has(subject.toLowerCase());
	const shown = await connection.lists.patchsets(list).first(signal);
	const items = shown.items.filter(isMine);
	let likely =
		bestNamed(newestOfEach(items), local) ??
		(await likelyByPatches(connection, list, newestOfEach(items), local, signal));
	if (!likely && shown.completeness.kind === 'more') {
		let count = 0;
		for await (const page of connection.lists.uncached.patchsets(list, signal)) {
			const mine = page.items.filter(isMine);
			pushAll(items, mine);
			count += 1;
			if (count >= mostPages || mine.some(isNamed)) {
				break;
			}
		}
		likely = bestNamed(newestOfEach(items), local);
	}
	const others = newestOfEach(items).filter((each) => each !== likely);
	return { likely, all: likely ? [likely, ...others] : others };
}

/** The newest version of each series, newest first. */
function newestOfEach(items: readonly Patchset[]): readonly Patchset[] {
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

/** The series of the same branch, else one with the title of a commit. */
function bestNamed(own: readonly Patchset[], { commits, sentTitle }: LocalSeries): Patchset | undefined {
	const titled = (title: string | undefined): Patchset | undefined =>
		own.find(({ subject }) => subject.toLowerCase() === title?.toLowerCase());
	return [sentTitle, ...commits.map(({ subject }) => subject)].map(titled).find((each) => each !== undefined);
}

/** The series with the most patches of the same changes or titles; at least half of its patches or of ours. */
async function likelyByPatches(
	{ reviews }: Connection,
	list: ListRef,
	own: readonly Patchset[],
	{ patches }: LocalSeries,
	signal: AbortSignal,
): Promise<Patchset | undefined> {
	const local = localReading(patches).patches.map(({ patch }) => patch);
	const marksOf = (all: readonly PatchMail[]): ReadonlySet<string | undefined> =>
		new Set(all.flatMap((patch) => [patchIdentity(patch), `title ${patch.subject.toLowerCase()}`]));
	const here = marksOf(local);
	let best: { readonly patchset: Patchset; readonly share: number } | undefined;
	for (const patchset of own.slice(0, mostRead)) {
		const { series } = await reviews.read({ list, id: patchset.id }, signal);
		const there = series.patches.filter(
			({ patch }) => here.has(patchIdentity(patch) ?? '') || here.has(`title ${patch.subject.toLowerCase()}`),
		).length;
		const share = (2 * there) / Math.max(1, Math.min(series.patches.length, local.length));
		best = share >= 1 && share > (best?.share ?? 0) ? { patchset, share } : best;
	}
	return best?.patchset;
}

/** Asks whether commits are a new series or a new version of an own one. Throws `cancelled()` if the user closes the list. */
export async function askEarlier({ all, likely }: EarlierSeries): Promise<Patchset | undefined> {
	const choices = all.slice(0, mostEarlier).map((patchset): Choice<Patchset | undefined> => ({
		label: vscode.l10n.t('Version {0} of "{1}"', patchset.version + 1, visibleLine(patchset.subject)),
		iconPath: new vscode.ThemeIcon('versions'),
		value: patchset,
	}));
	const fresh: Choice<Patchset | undefined> = {
		label: vscode.l10n.t('New Series'),
		iconPath: new vscode.ThemeIcon('add'),
		value: undefined,
	};
	return choose(vscode.l10n.t('Choose what these commits are'), likely ? [...choices, fresh] : [fresh, ...choices]);
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

/**
 * People who probably want the next version: those that git's settings add, the recipients of the earlier one, everyone
 * who replied to it, and those in `Cc:` trailers of the commits.
 */
export function likelyCopies(
	earlier: PatchsetReview | undefined,
	commits: readonly LocalCommit[],
	added: readonly MailPerson[],
	owner: ReplyOwner,
): readonly MailPerson[] {
	const first = earlier && (earlier.series.cover ?? earlier.series.patches[0]?.mail);
	const { to = [], cc = [] } = first?.reading.kind === 'read' ? first.reading.mail : {};
	const replying = (earlier?.mails ?? []).flatMap(({ reading }) => (reading.kind === 'read' ? reading.mail.from : []));
	const named = commits.flatMap(({ message }) =>
		trailersOf(message).flatMap(({ key, value }) => (key.toLowerCase() === 'cc' ? (peopleIn(value) ?? []) : [])),
	);
	return replyPeople({ from: [], replyTo: [], to: [...added, ...to], cc }, owner, [...replying, ...named]).cc;
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
