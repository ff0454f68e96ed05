import * as vscode from 'vscode';
import { refText } from 'sourcehut/port/namedRef.ts';
import { refOfList, type Patchset, type PatchsetStatus } from 'sourcehut/port/list.ts';
import type { OwnerName } from 'sourcehut/port/user.ts';
import { spelled } from 'sourcehut/port/word.ts';
import type { PersonIcon, RowGroup, RowView, SectionView } from '../../pages/protocol/personProtocol.ts';
import type { Connection } from '../../store/connection.ts';
import type { PatchsetReview } from '../../store/lists/patchsets/patchsetReview.ts';
import type { SentPatchset, SentPatchsets } from '../../store/people/person.ts';
import { visibleLine } from '../../engine/text/visible.ts';
import { isUnknown, type ShownPerson } from './personViews.ts';

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
export function sentView({ connection, name, person, isReading, explain }: ShownPerson): SectionView {
	const sent = connection.people.sent(name);
	const isLoading = isReading('patchsets');
	if (sent.items.length === 0 && (isLoading || isUnknown(person))) {
		return { kind: isLoading ? 'loading' : 'hidden' };
	}
	const found = groups.flatMap((group) => groupView(group, sent, connection, person?.account));
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
		isReading: isLoading,
		troubles: troublesOf(sent, explain),
	};
}

function noneText({ lists, failure }: SentPatchsets): string {
	return lists.length > 0 || failure
		? vscode.l10n.t('No patchsets on the lists that are known here.')
		: vscode.l10n.t('No list is known here to search for patchsets.');
}

function troublesOf({ lists, failure }: SentPatchsets, explain: ShownPerson['explain']): readonly string[] {
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

/** `account`: the sender's, if known; their own replies don't count. */
function groupView(
	group: SentGroup,
	sent: SentPatchsets,
	connection: Connection,
	account: OwnerName | undefined,
): readonly RowGroup[] {
	const rows = sent.items
		.filter(({ patchset }) => groupOf(patchset.status) === group)
		.map((each) => rowOf(each, connection, account));
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

function rowOf(each: SentPatchset, connection: Connection, account: OwnerName | undefined): RowView {
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

/** Replies by others since the patchset was sent. `fresh`: since the user's last look. */
function repliesOf(
	{ threadReadMarks }: Connection,
	standing: PatchsetReview | undefined,
	account: string | undefined,
): { readonly count: number; readonly fresh: number } | undefined {
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
