import * as vscode from 'vscode';
import { refText } from '../../forge/port/namedRef.ts';
import { refOfList, type Patchset, type PatchsetStatus } from '../../forge/port/list.ts';
import { spelled } from '../../forge/port/word.ts';
import type { PersonIcon, RowGroup, RowView, SectionView } from '../../pages/protocol/personView.ts';
import type { Connection } from '../../store/connection.ts';
import type { PatchsetReview } from '../../store/lists/review/patchsetReview.ts';
import type { SentPatchset, SentPatchsets } from '../../store/people/person.ts';
import { visibleLine } from '../../engine/text/visible.ts';

export interface SentParts {
	readonly connection: Connection;
	/** The sender's account, if known; their own replies don't count. */
	readonly account: string | undefined;
	readonly sent: SentPatchsets;
	readonly isReading: boolean;
	readonly isHidden: boolean;
	readonly explain: (error: unknown) => string;
}

/** Review state from the sender's view. */
type SentGroup = 'waiting' | 'changesAsked' | 'approved' | 'done' | 'other';

const groups: readonly SentGroup[] = ['waiting', 'changesAsked', 'approved', 'other', 'done'];

/** The group that a status belongs to. Words that this version does not know are neither open nor done. */
function groupOf(status: PatchsetStatus): SentGroup {
	switch (status) {
		case 'proposed':
			return 'waiting';
		case 'needs_revision':
			return 'changesAsked';
		case 'approved':
			return 'approved';
		case 'applied':
		case 'rejected':
		case 'superseded':
			return 'done';
		case 'unknown':
		default:
			return 'other';
	}
}

/** Names a patchset's row. */
export function keyOfSent({ ref }: SentPatchset): string {
	return `${refText(ref.list)} ${ref.id}`;
}

/** A person's patchsets, grouped by review state. */
export function sentView(parts: SentParts): SectionView {
	const { sent, isReading, isHidden, explain } = parts;
	if (sent.items.length === 0 && (isReading || isHidden)) {
		return { kind: isReading ? 'loading' : 'hidden' };
	}
	const found = groups.flatMap((group) => groupView(group, parts));
	const [only] = found;
	return {
		kind: 'rows',
		// Collapse the "done" group if other groups exist.
		groups: only && found.length === 1 ? [{ ...only, isFolded: false }] : found,
		none: noneText(sent),
		counts: depthText(sent),
		more: sent.lists.some(({ part }) => part.kind === 'known' && part.value.kind === 'more')
			? vscode.l10n.t('Search Older Patchsets')
			: undefined,
		isReading,
		troubles: troublesOf(sent, explain),
	};
}

function noneText({ lists, failure }: SentPatchsets): string {
	return lists.length > 0 || failure
		? vscode.l10n.t('No patchsets on the lists that are known here.')
		: vscode.l10n.t('No list is known here to search for patchsets.');
}

function troublesOf({ lists, failure }: SentPatchsets, explain: SentParts['explain']): readonly string[] {
	const failed = lists.flatMap(({ list, part }) =>
		part.kind === 'failed'
			? [vscode.l10n.t('{0} could not be searched: {1}', visibleLine(refText(list)), explain(part.error))]
			: [],
	);
	return [...(failure ? [explain(failure.error)] : []), ...failed];
}

/** Open patchsets, newest first; only these need their replies. */
export function openOnes({ items }: SentPatchsets): readonly SentPatchset[] {
	return items.filter(({ patchset }) => groupOf(patchset.status) !== 'done');
}

function depthText({ lists }: SentPatchsets): string {
	const isWhole = lists.every(({ part }) => part.kind !== 'known' || part.value.kind === 'complete');
	return isWhole ? '' : vscode.l10n.t('Found among the newest patchsets of the lists that are known here');
}

function groupView(group: SentGroup, parts: SentParts): readonly RowGroup[] {
	const rows = parts.sent.items
		.filter(({ patchset }) => groupOf(patchset.status) === group)
		.map((each) => rowOf(each, parts));
	return rows.length === 0 ? [] : [{ title: groupTitle(group), isFolded: group === 'done', rows }];
}

function groupTitle(group: SentGroup): string {
	switch (group) {
		case 'waiting':
			return vscode.l10n.t('Waiting for review');
		case 'changesAsked':
			return vscode.l10n.t('Needs revision');
		case 'approved':
			return vscode.l10n.t('Approved');
		case 'done':
			return vscode.l10n.t('Done');
		case 'other':
			return vscode.l10n.t('Other');
	}
}

function rowOf(each: SentPatchset, { connection, account }: SentParts): RowView {
	const { patchset, ref } = each;
	const { icon, state } = lookOf(patchset.status);
	const title = visibleLine(patchset.subject);
	const replies = repliesOf(connection, connection.reviews.known(ref), account);
	return {
		key: keyOfSent(each),
		icon,
		state,
		title: title === '' ? vscode.l10n.t('Patchset without subject') : title,
		facts: [
			// These groups hold several states.
			...(['done', 'other'].includes(groupOf(patchset.status)) ? [state] : []),
			versionText(patchset),
			visibleLine(refText(patchset.list ? refOfList(patchset.list) : ref.list)),
			...(replies ? [repliesText(replies.count)] : []),
		],
		atMs: patchset.createdMs,
		fresh: replies && replies.fresh > 0 ? vscode.l10n.t('{0} new', replies.fresh) : undefined,
		tie: undefined,
	};
}

function versionText({ version }: Patchset): string {
	return `v${version}`;
}

interface Replies {
	readonly count: number;
	/** Replies since the user's last look. */
	readonly fresh: number;
}

/** Replies by others since the patchset was sent. */
function repliesOf(
	{ threadReadMarks }: Connection,
	standing: PatchsetReview | undefined,
	account: string | undefined,
): Replies | undefined {
	if (!standing) {
		return undefined;
	}
	const { series, mails, threadId, ref } = standing;
	const own = new Set([...series.patches.map(({ mail }) => mail.id), ...(series.cover ? [series.cover.id] : [])]);
	const answers = mails.filter((mail) => !own.has(mail.id) && (account === undefined || mail.account !== account));
	const seen = threadId === undefined ? undefined : threadReadMarks.lastSeenEventId({ list: ref.list, id: threadId });
	return {
		count: answers.length,
		fresh: seen === undefined ? 0 : answers.filter(({ id }) => id > seen).length,
	};
}

function repliesText(count: number): string {
	if (count === 0) {
		return vscode.l10n.t('no replies');
	}
	return count === 1 ? vscode.l10n.t('1 reply') : vscode.l10n.t('{0} replies', count);
}

/** Icon and label of a status. Unknown statuses keep the server's word. */
function lookOf(status: PatchsetStatus): { readonly icon: PersonIcon; readonly state: string } {
	switch (status) {
		case 'proposed':
			return { icon: 'proposed', state: vscode.l10n.t('Proposed') };
		case 'needs_revision':
			return { icon: 'needsRevision', state: vscode.l10n.t('Needs revision') };
		case 'approved':
			return { icon: 'approved', state: vscode.l10n.t('Approved') };
		case 'applied':
			return { icon: 'applied', state: vscode.l10n.t('Applied') };
		case 'rejected':
			return { icon: 'rejected', state: vscode.l10n.t('Rejected') };
		case 'superseded':
			return { icon: 'superseded', state: vscode.l10n.t('Superseded') };
		case 'unknown':
			return { icon: 'unknownStatus', state: vscode.l10n.t('Unknown status') };
		default:
			return { icon: 'unknownStatus', state: visibleLine(spelled(status)) };
	}
}
