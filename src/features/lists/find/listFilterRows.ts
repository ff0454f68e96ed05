import * as vscode from 'vscode';
import {
	filterProblemText,
	filterRows,
	valueText,
	type FilterRow,
	type FilterRowFor,
} from '../../../editor/ask/filterRows.ts';
import { spelled } from 'sourcehut/port/word.ts';
import { senderIn } from 'patchmail/mail/onlySender.ts';
import type { FilterProblem } from '../../../engine/search/filterWords.ts';
import {
	completeListFilter,
	type ListFilterReading,
	type ListVocabulary,
} from '../../../engine/search/mails/listFilter.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { type AccountList, perList } from './accountList.ts';
import { moreRow } from '../../../editor/trees/pagingRows.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';
import type { Left } from './listFinder.ts';

/**
 * Rows below the typed text. Assumes the caret at the end, because the editor hides its position. `matching`: number of
 * matching patchsets as text; `undefined` during the count. `clearing`: label of the row that removes the filter.
 */
export function listFilterRows(
	text: string,
	reading: ListFilterReading,
	matching: string | undefined,
	vocabulary: ListVocabulary,
	clearing: string | undefined,
): readonly FilterRow[] {
	// An unknown key searches a mail header, but may be a typo.
	const [hint] = reading.kind === 'filter' ? reading.filter.hints : [];
	const hintText =
		hint?.kind === 'unknownKey' && hint.nearest !== undefined
			? vscode.l10n.t('"{0}:" searches a message header. Did you mean "{1}:"?', visibleLine(hint.key), hint.nearest)
			: undefined;
	const examples = [
		{ text: 'status:proposed', what: vscode.l10n.t('no decision yet') },
		{ text: 'from:me', what: vscode.l10n.t('sent by me') },
		{ text: 'is:unread', what: vscode.l10n.t('not viewed by me yet') },
		{ text: 'is:request-pull', what: vscode.l10n.t('pull requests') },
	].map((example): FilterRowFor => ({
		label: example.text,
		description: example.what,
		iconPath: new vscode.ThemeIcon('list-filter'),
		alwaysShow: true,
		choice: { kind: 'saved', text: example.text },
	}));
	return filterRows({
		text,
		reading,
		matching: matching !== undefined && hintText !== undefined ? `${matching} · ${hintText}` : matching,
		completion: completeListFilter(text, text.length, vocabulary),
		termText: ({ kind, name }) => (kind === 'key' ? keyText(name) : valueText(kind)),
		first: text.trim() === '' ? examples : [],
		clearing,
	});
}

/** Reason why a filter is invalid and the next step, in one or two sentences. */
export function listProblemText(problem: FilterProblem): string {
	return filterProblemText(problem, '!status:applied');
}

/** "12 of 340" among loaded items. */
export function leftText(shown: number, known: number): string {
	const number = new Intl.NumberFormat(vscode.env.language);
	return vscode.l10n.t('{0} of {1}', number.format(shown), number.format(known));
}

/** Values that occur in the list, most frequent first. */
export function listVocabulary({ connection: { lists }, list }: AccountList): ListVocabulary {
	const patchsets = lists.knownPatchsets(list);
	const posts = lists.knownPosts(list);
	const senders = [...posts, ...patchsets.flatMap(({ coverLetter }) => coverLetter ?? [])].flatMap(
		({ sender }) => sender?.canonicalName ?? [],
	);
	const submitters = patchsets.flatMap(({ submitter }) =>
		submitter === undefined ? [] : (senderIn(submitter)?.address ?? []),
	);
	return {
		people: byFrequency([...senders, ...submitters]),
		prefixes: byFrequency(patchsets.flatMap(({ prefix }) => (prefix === undefined || prefix === '' ? [] : [prefix]))),
		statuses: byFrequency(patchsets.map(({ status }) => spelled(status))),
	};
}

function byFrequency(words: readonly string[]): readonly string[] {
	const counts = new Map<string, number>();
	for (const word of words) {
		counts.set(word, (counts.get(word) ?? 0) + 1);
	}
	return Array.from(counts)
		.toSorted(([, one], [, other]) => other - one)
		.map(([word]) => word);
}

function keyText(key: string): string {
	switch (key) {
		case 'status':
			return vscode.l10n.t('patchset status');
		case 'is':
			return vscode.l10n.t('patch, reply, request-pull, thread, changed, new or unread');
		case 'from':
			return vscode.l10n.t('sender: me, ~name, an email address or part of a name');
		case 'to':
		case 'cc':
			return vscode.l10n.t('To / Cc recipients');
		case 'prefix':
			return vscode.l10n.t('project in the brackets of the subject');
		default:
			return vscode.l10n.t('date sent: a date or a range of dates');
	}
}

/**
 * Items that a list's filter shows. Loads the mails of undecided items, up to `most` per step: redraws are frequent, and
 * only the user extends the limit. A new filter resets a list. `load` gets each item once; items that fail become due
 * with the next redraw.
 */
export function filteredItems<T extends { readonly id: number }>(
	most: number,
	look: (seen: AccountList) => Left<T>,
	isOld: (seen: AccountList) => boolean,
	load: (seen: AccountList, due: readonly T[], signal: AbortSignal) => Promise<void>,
) {
	const shares = perList(() => ({ filter: '', tried: new Set<number>(), wanted: most }));

	async function left(seen: AccountList, signal: AbortSignal): Promise<Left<T>> {
		const first = look(seen);
		const share = shares(seen);
		const { filter } = seen.connection.listChoices.of(seen.list);
		if (share.filter !== filter) {
			Object.assign(share, { filter, tried: new Set<number>(), wanted: most });
		}
		const { tried, wanted } = share;
		const due = first.undecided.filter(({ id }) => !tried.has(id)).slice(0, Math.max(0, wanted - tried.size));
		if (due.length === 0 || isOld(seen)) {
			return first;
		}
		await load(seen, due, signal);
		due.forEach(({ id }) => tried.add(id));
		return look(seen);
	}

	/** Row with the number of undecided items; a click loads some of their mails and calls `redraw`. */
	function undecidedRow(
		seen: AccountList,
		parent: TreeNode,
		undecided: readonly T[],
		redraw: (seen: AccountList) => void,
	) {
		if (undecided.length === 0) {
			return [];
		}
		const counts = vscode.l10n.t('not loaded for this filter: {0}', undecided.length);
		const row = moreRow({ id: `${parent.id}/untold`, parent, counts }, async (signal) => {
			const share = shares(seen);
			if (undecided.every(({ id }) => share.tried.has(id))) {
				// Everything was tried: retry what failed.
				undecided.forEach(({ id }) => share.tried.delete(id));
			}
			share.wanted = share.tried.size + most;
			await left(seen, signal);
			redraw(seen);
		});
		return [row];
	}

	return { left, undecidedRow: undecidedRow };
}
