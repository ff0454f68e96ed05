import * as vscode from 'vscode';
import type { Clock } from '@forge-desk/base/clock.ts';
import { resting } from '@forge-desk/base/timeSlice.ts';
import { askFor, cancelled, choose, type Choice } from '../../../editor/ask/ask.ts';
import { offer } from '../../../editor/ask/askConnection.ts';
import { askFilterText } from '../../../editor/ask/filterBox.ts';
import {
	filterRows,
	shownInBox,
	type FilterRowFor,
	filterProblemText,
	valueText,
} from '../../../editor/ask/filterRows.ts';
import { confirm, confirmForGood, notify, tellBriefly, withoutPictures } from '../../../editor/ask/notify.ts';
import type { CommandTable } from '../../../editor/commands/feature.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { countText } from '../../../editor/trees/markTexts.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import { completeTicketFilter, parseTicketFilter, type TicketFilter } from '../../../engine/search/ticketFilter.ts';
import { filterVocabulary } from '../../../engine/search/filterVocabulary.ts';
import { selectTicketsResting } from '../../../engine/search/selectTickets.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { filterSubject, type FilterPlace, type SavedFilter } from '../choices/ticketFilters.ts';
import type { TicketsContext } from '../context/ticketsContext.ts';
import { trackerOf, type TrackerSubject } from '../subjects/subjects.ts';
import { checkedText, ticketsText } from '../tree/countTexts.ts';
import { sourceOf, type AccountTracker } from '../tree/ticketShelf.ts';
import type { TicketTree } from '../tree/ticketTree.ts';
import { allTrackers } from '../tree/treeContext.ts';
import { onIndexChange } from './knownTickets.ts';

/** Same limit as the setting's schema. */
const longestName = 80;

/**
 * Commands for tracker filters and saved filters. A tracker row selects that tracker; any other subject selects all
 * trackers.
 */
export function filterCommands(context: TicketsContext, tree: TicketTree): CommandTable {
	return {
		'forge.filters.apply': (subject, signal) => apply(context, tree, subject, signal),
		'forge.filters.clear': (subject) => clear(context, subject),
		'forge.filters.save': (subject, signal) => save(context, subject, signal),
		'forge.filters.edit': (subject, signal) => edit(context, tree, subject, signal),
		'forge.filters.delete': (subject) => remove(context, subject),
	};
}

async function apply(context: TicketsContext, tree: TicketTree, subject: unknown, signal: AbortSignal): Promise<void> {
	const { filters } = context;
	const tracker = trackerOf(subject);
	const before = tracker ? filters.onTracker(tracker.connectionKey, tracker.ref) : filters.onAll();
	const title = tracker
		? vscode.l10n.t('Filter the tickets of {0}', visibleLine(refText(tracker.ref)))
		: vscode.l10n.t('Filter the tickets of all trackers');
	const text = savedTarget(context, subject)?.filter ?? before ?? '';
	const filter = await ask(context, { title, text, isApplied: before !== undefined, tracker }, signal);
	await (tracker ? filters.setOnTracker(tracker.connectionKey, tracker.ref, filter) : filters.setOnAll(filter));
	if (filter !== undefined) {
		// Reveals the filtered list and focuses it for the keyboard.
		tree.openList(tracker);
	}
}

/** Clears the filter of the selected tracker, or all applied filters. */
function clear({ filters }: TicketsContext, subject: unknown): Promise<void> {
	const tracker = trackerOf(subject);
	return tracker ? filters.setOnTracker(tracker.connectionKey, tracker.ref, undefined) : filters.clear();
}

/** Saves the applied filter of the selected tracker or of all trackers. Prompts for a filter if none is applied. */
async function save(context: TicketsContext, subject: unknown, signal: AbortSignal): Promise<void> {
	const { filters } = context;
	const tracker = trackerOf(subject);
	const applied = (tracker && filters.onTracker(tracker.connectionKey, tracker.ref)) ?? filters.onAll();
	const title = vscode.l10n.t('Save a filter');
	const filter = applied ?? (await ask(context, { title, text: '' }, signal));
	if (filter === undefined) {
		throw cancelled();
	}
	const name = await askName(title, filter);
	const where = await askPlace(context);
	if (filters.saved().some((each) => each.name === name && each.where === where)) {
		const detail = vscode.l10n.t('It will be replaced by: {0}', visibleLine(filter));
		const replace = vscode.l10n.t('Replace');
		if (!(await confirm(vscode.l10n.t('A filter named {0} already exists.', visibleLine(name)), detail, replace))) {
			throw cancelled();
		}
	}
	await tellWhetherSaved(await filters.save(where, { name, filter }, name), where, name);
}

async function tellWhetherSaved(isSaved: boolean, where: FilterPlace, name: string): Promise<void> {
	if (isSaved) {
		tellBriefly(vscode.l10n.t('Saved filter {0}', visibleLine(name)));
	} else {
		await showSetting(
			where,
			vscode.l10n.t('The setting forge.filters is not an array, so nothing was changed. Correct it first.'),
		);
	}
}

function askName(title: string, value: string, taken: (name: string) => boolean = () => false): Promise<string> {
	return askFor({
		title,
		prompt: vscode.l10n.t('Name of the filter'),
		value: value.slice(0, longestName),
		complaint(typed) {
			const name = typed.trim();
			if (name === '' || name.length > longestName) {
				return vscode.l10n.t('A name must have 1 to {0} characters.', longestName);
			}
			return taken(name)
				? vscode.l10n.t('A filter named {0} already exists. Choose another name.', visibleLine(name))
				: undefined;
		},
	});
}

async function askPlace({ filters }: TicketsContext): Promise<FilterPlace> {
	if (!filters.canShare()) {
		return 'user';
	}
	return choose<FilterPlace>(vscode.l10n.t('Where should the filter be saved?'), [
		{ label: vscode.l10n.t('User settings'), description: vscode.l10n.t('for you, in every window'), value: 'user' },
		{
			label: vscode.l10n.t('Workspace settings'),
			description: vscode.l10n.t('for everyone who works in this folder'),
			value: 'workspace',
		},
	]);
}

async function edit(context: TicketsContext, tree: TicketTree, subject: unknown, signal: AbortSignal): Promise<void> {
	if (filterSubject(subject)?.kind === 'appliedFilter') {
		return apply(context, tree, undefined, signal);
	}
	const saved = savedTarget(context, subject) ?? (await askSaved(context, vscode.l10n.t('Choose a filter to edit')));
	if (saved.problem?.kind === 'notAnEntry') {
		return showSetting(saved.where, filterProblemText(saved.problem));
	}
	const title = vscode.l10n.t('Edit filter {0}', visibleLine(saved.name));
	const filter = await ask(context, { title, text: saved.filter }, signal);
	if (filter === undefined) {
		throw cancelled();
	}
	const name = await askName(
		title,
		saved.name,
		(typed) =>
			typed !== saved.name && context.filters.saved().some((each) => each.name === typed && each.where === saved.where),
	);
	await tellWhetherSaved(await context.filters.save(saved.where, { name, filter }, saved.name), saved.where, name);
}

async function remove(context: TicketsContext, subject: unknown): Promise<void> {
	if (filterSubject(subject)?.kind === 'appliedFilter') {
		return context.filters.setOnAll(undefined);
	}
	const saved = savedTarget(context, subject) ?? (await askSaved(context, vscode.l10n.t('Choose a filter to delete')));
	const detail =
		saved.where === 'user'
			? visibleLine(saved.filter)
			: vscode.l10n.t('{0}\n\nIt is in the workspace settings, so others lose it too.', visibleLine(saved.filter));
	if (
		!(await confirmForGood(
			vscode.l10n.t('Delete filter {0}?', visibleLine(saved.name)),
			detail,
			vscode.l10n.t('Delete'),
		))
	) {
		throw cancelled();
	}
	if (!(await context.filters.remove(saved.where, saved.name))) {
		await showSetting(saved.where, vscode.l10n.t('This entry has no name, so it has to be deleted in the settings.'));
	}
}

function savedTarget({ filters }: TicketsContext, subject: unknown): SavedFilter | undefined {
	const wanted = filterSubject(subject);
	return wanted?.kind === 'filter'
		? filters.saved().find(({ name, where }) => name === wanted.name && where === wanted.where)
		: undefined;
}

async function askSaved({ filters }: TicketsContext, title: string): Promise<SavedFilter> {
	const choices = filters.saved().map((each): Choice<SavedFilter> => ({
		label: visibleLine(each.name),
		description: visibleLine(each.filter),
		...(each.where === 'workspace' ? { detail: vscode.l10n.t('Workspace settings') } : {}),
		value: each,
	}));
	if (choices.length === 0) {
		await offer(vscode.l10n.t('There are no saved filters.'), {
			label: vscode.l10n.t('Save Ticket Filter…'),
			command: 'forge.filters.save',
		});
		throw cancelled();
	}
	return choose(title, choices);
}

async function showSetting(where: FilterPlace, why: string): Promise<void> {
	const open = vscode.l10n.t('Open Settings');
	if ((await notify('warning', why, open)) === open) {
		await vscode.commands.executeCommand(
			where === 'user' ? 'workbench.action.openSettingsJson' : 'workbench.action.openWorkspaceSettingsFile',
		);
	}
}

/**
 * Asks for a ticket filter of a tracker, or of all. Returns a valid text, or `undefined` for no filter. Throws an abort
 * when the user closes the box. `isApplied`: the user can remove an applied filter.
 */
function ask(
	context: TicketsContext,
	{
		title,
		text: first,
		isApplied = false,
		tracker,
	}: {
		readonly title: string;
		readonly text: string;
		readonly isApplied?: boolean;
		readonly tracker?: TrackerSubject | undefined;
	},
	signal: AbortSignal,
): Promise<string | undefined> {
	const { connections, clock, problems, filters } = context;
	const trackers = tracker
		? [{ connection: connectionOf(connections, tracker), ref: tracker.ref }]
		: allTrackers(connections);
	const saved = filters.saved().map((each): FilterRowFor => ({
		label: shownInBox(each.name),
		description: shownInBox(each.filter),
		...(each.problem ? { detail: withoutPictures(filterProblemText(each.problem)) } : {}),
		iconPath: new vscode.ThemeIcon(each.problem ? 'error' : 'list-filter'),
		alwaysShow: true,
		choice: each.problem ? { kind: 'write', text: each.filter } : { kind: 'saved', text: each.filter },
	}));
	const clearing = isApplied ? vscode.l10n.t('Show All Tickets') : undefined;
	const vocabulary = filterVocabulary(trackers.flatMap(({ connection, ref }) => connection.index.tickets(ref)));
	return askFilterText(
		{
			title,
			placeholder: 'status:open label:bug !assigned:me sort:updated',
			text: first,
			hint: vscode.l10n.t(
				'Other words search titles, descriptions and loaded comments. Prefix a term with ! to exclude it.',
			),
			complaint(text) {
				const reading = parseTicketFilter(text);
				return reading.kind === 'problem' ? filterProblemText(reading.problem) : undefined;
			},
			// Assumes the caret at the end, because the editor hides its position.
			rows: (text, matching) =>
				filterRows({
					text,
					reading: parseTicketFilter(text),
					matching,
					completion: completeTicketFilter(text, text.length, vocabulary),
					termText: ({ kind, name }) => (kind === 'key' ? keyText(name) : valueText(kind)),
					first: saved,
					clearing,
				}),
			count(text, counting) {
				const reading = parseTicketFilter(text);
				return reading.kind === 'problem'
					? Promise.resolve('')
					: matchesText(reading.filter, trackers, clock, counting);
			},
			onDidChange: (listener) => onIndexChange(connections, listener),
		},
		problems,
		signal,
	);
}

/** "12 of 340 tickets, checked 3 minutes ago", plus tickets that sorting by comments leaves out. */
async function matchesText(
	filter: TicketFilter,
	trackers: readonly AccountTracker[],
	clock: Clock,
	signal: AbortSignal,
): Promise<string> {
	const sources = trackers.map(sourceOf);
	const { found, uncounted } = await selectTicketsResting({ filter }, sources, resting(clock), signal);
	const known = sources.reduce((sum, { tickets }) => sum + tickets.length, 0);
	const all = ticketsText(countText(known, true));
	const isWhole = trackers.every(({ connection, ref }) => connection.index.state(ref).kind === 'whole');
	const facts = [
		isWhole
			? vscode.l10n.t('{0} of {1}', found.length, all)
			: vscode.l10n.t('{0} of {1} loaded so far', found.length, all),
		uncounted > 0 ? vscode.l10n.t('comments of {0} not counted', ticketsText(countText(uncounted, true))) : '',
		checkedText(trackers, clock.nowMs()),
	];
	return facts.filter((fact) => fact !== '').join(', ');
}

function keyText(key: string): string {
	switch (key) {
		case 'status':
			return vscode.l10n.t('open, closed, any, or one status');
		case 'submitter':
			return vscode.l10n.t('submitter: me, ~name or an email address');
		case 'assigned':
			return vscode.l10n.t('assignee: me or ~name');
		case 'label':
			return vscode.l10n.t('has this label');
		case 'no':
			return vscode.l10n.t('has no assignee, or no label');
		case 'is':
			return vscode.l10n.t('changed since you looked, new, or either (unread)');
		case 'sort':
			return vscode.l10n.t('latest or most first');
		default:
			return vscode.l10n.t('oldest or fewest first');
	}
}
