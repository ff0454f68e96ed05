import * as vscode from 'vscode';
import { refText } from 'sourcehut/port/namedRef.ts';
import { refOfList, type PatchsetStatus } from 'sourcehut/port/list.ts';
import type { OwnerName } from 'sourcehut/port/user.ts';
import { spelled } from 'sourcehut/port/word.ts';
import type { PersonIcon, RowView, SectionView } from '../../pages/protocol/personProtocol.ts';
import type { Connection } from '../../store/connection.ts';
import type { SentPatchset, SentPatchsets } from '../../store/people/person.ts';
import { visibleLine } from '../../engine/text/visible.ts';
import { isUnknown, type ShownPerson } from './personViews.ts';

/** Review states from the sender's view, in the order of the page. */
const groups = ['waiting', 'changesAsked', 'approved', 'other', 'done'] as const;

/** Review state, icon and label of a status. Words that this version does not know are neither open nor done. */
function appearanceOf(status: PatchsetStatus): {
	readonly group: (typeof groups)[number];
	readonly icon: PersonIcon;
	readonly state: string;
} {
	switch (status) {
		case 'proposed':
			return { group: 'waiting', icon: 'proposed', state: vscode.l10n.t('Proposed') };
		case 'needs_revision':
			return { group: 'changesAsked', icon: 'needsRevision', state: vscode.l10n.t('Needs revision') };
		case 'approved':
			return { group: 'approved', icon: 'approved', state: vscode.l10n.t('Approved') };
		case 'applied':
			return { group: 'done', icon: 'applied', state: vscode.l10n.t('Applied') };
		case 'rejected':
			return { group: 'done', icon: 'rejected', state: vscode.l10n.t('Rejected') };
		case 'superseded':
			return { group: 'done', icon: 'superseded', state: vscode.l10n.t('Superseded') };
		case 'none':
			return { group: 'waiting', icon: 'proposed', state: '' };
		case 'unknown':
			return { group: 'other', icon: 'unknownStatus', state: vscode.l10n.t('Unknown status') };
		default:
			return { group: 'other', icon: 'unknownStatus', state: visibleLine(spelled(status)) };
	}
}

/** Names a patchset's row. */
export function keyOfSent({ ref }: SentPatchset): string {
	return `${refText(ref.list)} ${ref.id}`;
}

/** Open patchsets, newest first; only these need their replies. */
export function openOnes({ items }: SentPatchsets): readonly SentPatchset[] {
	return items.filter(({ patchset }) => appearanceOf(patchset.status).group !== 'done');
}

/** A person's patchsets, grouped by review state. */
export function sentView({ connection, name, person, isReading, explain }: ShownPerson): SectionView {
	const { items, lists, failure } = connection.people.sent(name);
	const isLoading = isReading('patchsets');
	if (items.length === 0 && (isLoading || isUnknown(person))) {
		return { kind: isLoading ? 'loading' : 'hidden' };
	}
	const titles = {
		waiting: vscode.l10n.t('Waiting for review'),
		changesAsked: vscode.l10n.t('Needs revision'),
		approved: vscode.l10n.t('Approved'),
		done: vscode.l10n.t('Done'),
		other: vscode.l10n.t('Other'),
	};
	const found = groups.flatMap((group) => {
		const rows = items
			.filter(({ patchset }) => appearanceOf(patchset.status).group === group)
			.map((each) => rowOf(each, connection, person?.account));
		return rows.length === 0 ? [] : [{ title: titles[group], isFolded: group === 'done', rows }];
	});
	const [only] = found;
	const isWhole = lists.every(({ part }) => part.kind !== 'known' || part.value.kind === 'complete');
	const unsearched = lists.flatMap(({ list, part }) =>
		part.kind === 'failed'
			? [vscode.l10n.t('{0} could not be searched: {1}', visibleLine(refText(list)), explain(part.error))]
			: [],
	);
	return {
		kind: 'rows',
		// Collapse the "done" group if other groups exist.
		groups: only && found.length === 1 ? [{ ...only, isFolded: false }] : found,
		none:
			lists.length > 0 || failure
				? vscode.l10n.t('No patchsets on the lists that are known here.')
				: vscode.l10n.t('No list is known here to search for patchsets.'),
		counts: isWhole ? '' : vscode.l10n.t('Found among the newest patchsets of the lists that are known here'),
		more: lists.some(({ part }) => part.kind === 'known' && part.value.kind === 'more')
			? vscode.l10n.t('Search Older Patchsets')
			: undefined,
		isReading: isLoading,
		troubles: [...(failure ? [explain(failure.error)] : []), ...unsearched],
	};
}

/** `account`: the sender's, if known; their own replies don't count. */
function rowOf(each: SentPatchset, connection: Connection, account: OwnerName | undefined): RowView {
	const { patchset, ref } = each;
	const { group, icon, state } = appearanceOf(patchset.status);
	const title = visibleLine(patchset.subject);
	const facts = [
		// These groups hold several states.
		...(group === 'done' || group === 'other' ? [state] : []),
		`v${patchset.version}`,
		visibleLine(refText(patchset.list ? refOfList(patchset.list) : ref.list)),
	];
	let fresh = 0;
	const review = connection.reviews.known(ref);
	if (review) {
		const { series, mails, threadId } = review;
		const own = new Set([...series.patches.map(({ mail }) => mail.id), ...(series.cover ? [series.cover.id] : [])]);
		const answers = mails.filter((mail) => !own.has(mail.id) && (account === undefined || mail.account !== account));
		const thread = threadId === undefined ? undefined : { list: review.ref.list, id: threadId };
		const seen = thread && connection.threadReadMarks.lastSeenEventId(thread);
		fresh = seen === undefined ? 0 : answers.filter(({ id }) => id > seen).length;
		facts.push(
			answers.length === 0
				? vscode.l10n.t('no replies')
				: answers.length === 1
					? vscode.l10n.t('1 reply')
					: vscode.l10n.t('{0} replies', answers.length),
		);
	}
	return {
		key: keyOfSent(each),
		icon,
		state,
		title: title === '' ? vscode.l10n.t('Patchset without subject') : title,
		facts,
		atMs: patchset.createdMs,
		fresh: fresh > 0 ? vscode.l10n.t('{0} new', fresh) : undefined,
		tie: undefined,
	};
}
