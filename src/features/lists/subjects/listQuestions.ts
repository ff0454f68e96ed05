import * as vscode from 'vscode';
import { choose, type Choice } from '../../../editor/ask/ask.ts';
import { countsText } from '../../../editor/trees/pagingRows.ts';
import { askTied, offerFollowing } from '../../../editor/owned/askOwned.ts';
import type { ListRef, Patchset } from 'sourcehut/port/list.ts';
import { isNumbered } from 'patchmail/series/listedPatchset.ts';
import { formedText } from './problemTexts.ts';
import type { Connection, Connections } from '../../../store/connection.ts';
import type { Listing } from '../../../store/shared/listing.ts';
import type { MailSummary } from '../../../store/lists/mailSummary.ts';
import { threadsOf } from '../../../store/lists/listThreads.ts';
import { listKind } from './listKind.ts';
import type { ListSubject, MailSubject, PatchsetSubject } from './subjects.ts';
import { statusOf, titleOf, patchTitle, writerText } from './words.ts';
import { nameOfSender, visibleLine } from '../../../engine/text/visible.ts';

/** Asks for an owned, subscribed or followed list. A single one needs no question. */
export function askList(connections: Connections, signal: AbortSignal): Promise<ListSubject> {
	const none = vscode.l10n.t("You have no lists or subscriptions, and don't follow a list.");
	return askTied(listKind, connections, { isOnlyTaken: true, none: () => offerFollowing(listKind, none) }, signal);
}

/** Question for a patchset. By default it offers all. */
export interface PatchsetQuestion {
	readonly title: string;
	readonly isOffered: (patchset: Patchset) => boolean;
	/** Likely patchsets come first. */
	readonly isLikely: (patchset: Patchset) => boolean;
}

/** Asks for a patchset of a list. "Show More" loads further pages. */
export async function askPatchset(
	connection: Connection,
	list: ListRef,
	signal: AbortSignal,
	question: PatchsetQuestion = {
		title: vscode.l10n.t('Choose a patchset of {0}', visibleLine(list.name)),
		isOffered: () => true,
		isLikely: () => false,
	},
): Promise<PatchsetSubject> {
	const { lists } = connection;
	const { title, isOffered, isLikely } = question;
	const id = await chooseFrom(
		title,
		await lists.patchsets(list).first(signal),
		(patchsets) => {
			const offered = patchsets.filter(isOffered);
			return [...offered.filter(isLikely), ...offered.filter((each) => !isLikely(each))].map(patchsetChoice);
		},
		() => lists.patchsets(list).more(signal),
	);
	return { kind: 'patchset', connectionKey: connection.key, ref: { list, id } };
}

/** A patchset as a choice with its id. */
export function patchsetChoice(patchset: Patchset): Choice<number> {
	const { codicon, text } = statusOf(patchset);
	const by = patchset.submitter === undefined ? [] : [visibleLine(nameOfSender(patchset.submitter))];
	return {
		label: visibleLine(titleOf(patchset.subject)),
		description: [`v${patchset.version}`, ...(text === '' ? [] : [visibleLine(text)]), ...by].join(' · '),
		iconPath: new vscode.ThemeIcon(codicon),
		value: patchset.id,
	};
}

/** Patchsets offered from one thread. Each may cost a request. */
const mostInThread = 50;

/** Asks for a patchset of a thread. Skips unreadable ones. */
export async function askPatchsetOfThread(
	{ key, lists }: Connection,
	list: ListRef,
	ids: readonly number[],
	signal: AbortSignal,
): Promise<PatchsetSubject> {
	const patchsets = await readableOnes(
		ids.slice(-mostInThread).map((id) => lists.patchset({ list, id }, signal)),
		signal,
	);
	const id = await choose(
		vscode.l10n.t('Choose a patchset of this thread'),
		patchsets.map((patchset) => {
			const detail = isNumbered(patchset.id) ? `${visibleLine(list.name)} #${patchset.id}` : formedText(patchset);
			return { ...patchsetChoice(patchset), detail };
		}),
	);
	return { kind: 'patchset', connectionKey: key, ref: { list, id } };
}

/** Asks for a mail of a patchset. A single one needs no question. */
export async function askMailOfPatchset(
	connection: Connection,
	{ ref }: PatchsetSubject,
	signal: AbortSignal,
): Promise<MailSubject> {
	const { cover, patches } = await connection.lists.series(ref, signal);
	const mails = [...(cover ? [cover] : []), ...patches];
	return askMail(connection, ref.list, vscode.l10n.t('Choose a message of the patchset'), mails, patchTitle);
}

/** Asks for a patch of a patchset. A single one needs no question. */
export async function askPatchOfPatchset(
	connection: Connection,
	{ ref }: PatchsetSubject,
	signal: AbortSignal,
): Promise<MailSubject> {
	const { patches } = await connection.lists.series(ref, signal);
	return askMail(connection, ref.list, vscode.l10n.t('Choose a patch'), patches, patchTitle);
}

/** Asks for a thread of a list, then for a mail in it. */
export async function askMailOfList(connection: Connection, list: ListRef, signal: AbortSignal): Promise<MailSubject> {
	const { lists } = connection;
	const thread = await chooseFrom(
		vscode.l10n.t('Choose a thread of {0}', visibleLine(list.name)),
		await lists.posts(list).first(signal),
		(posts) =>
			threadsOf(posts).map((each) => ({
				label: visibleLine(titleOf(each.subject)),
				description: writerText(each.first ?? each.latest),
				iconPath: new vscode.ThemeIcon('comment-discussion'),
				value: each.id,
			})),
		() => lists.posts(list).more(signal),
	);
	const mails = await lists.thread(list, thread, signal);
	return askMail(connection, list, vscode.l10n.t('Choose a message'), mails, ({ subject }) => titleOf(subject));
}

async function askMail(
	{ key }: Connection,
	list: ListRef,
	title: string,
	mails: readonly MailSummary[],
	labelOf: (mail: MailSummary) => string,
): Promise<MailSubject> {
	const subjectOf = ({ id, messageId }: MailSummary): MailSubject => ({
		kind: 'mail',
		connectionKey: key,
		list,
		id,
		messageId,
	});
	const [only] = mails;
	if (only && mails.length === 1) {
		return subjectOf(only);
	}
	return choose(
		title,
		mails.map((mail) => ({
			label: visibleLine(labelOf(mail)),
			description: writerText(mail),
			iconPath: new vscode.ThemeIcon(mail.isPatch === true ? 'diff' : 'comment'),
			value: subjectOf(mail),
		})),
	);
}

/** "Show More" loads the next page and asks again. */
async function chooseFrom<T>(
	title: string,
	first: Listing<T>,
	rowsOf: (items: readonly T[]) => readonly Choice<number>[],
	readOn: () => Promise<Listing<T>>,
): Promise<number> {
	let listing = first;
	for (;;) {
		const rows: readonly Choice<number | undefined>[] = rowsOf(listing.items);
		const counts = countsText(listing.items.length, listing.completeness);
		const more: readonly Choice<number | undefined>[] =
			listing.completeness.kind === 'more'
				? [{ label: vscode.l10n.t('Show More'), description: counts, alwaysShow: true, value: undefined }]
				: [];
		const chosen = await choose(title, [...rows, ...more]);
		if (chosen !== undefined) {
			return chosen;
		}
		listing = await readOn();
	}
}

/**
 * Results of the successful loads: a missing thing or an unreachable forge must not hide the others. Throws the first
 * error if all fail, and an abort.
 */
export async function readableOnes<T>(reads: readonly Promise<T>[], signal: AbortSignal): Promise<readonly T[]> {
	const settled = await Promise.allSettled(reads);
	signal.throwIfAborted();
	const found = settled.flatMap((read) => (read.status === 'fulfilled' ? [read.value] : []));
	const failed = settled.find((read) => read.status === 'rejected');
	if (failed && found.length === 0) {
		throw failed.reason;
	}
	return found;
}
