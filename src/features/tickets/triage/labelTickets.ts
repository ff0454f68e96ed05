import * as vscode from 'vscode';
import { chooseSeveral, type TickChoice, type TickGroup } from '../../../editor/ask/ask.ts';
import { notify } from '../../../editor/ask/notify.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import type { Ticket } from 'sourcehut/port/ticket.ts';
import type { LabelRequest } from 'sourcehut/port/ticketRequest.ts';
import type { Label } from 'sourcehut/port/tracker.ts';
import { someLabelsText, swatch } from '../manage/showLabels.ts';
import type { TicketsContext } from '../context/ticketsContext.ts';
import { trackerOf, type TicketSubject } from '../subjects/subjects.ts';
import { ticketsInWords } from '../subjects/ticketTarget.ts';
import type { ItemResult, TicketItem } from './outcomeTexts.ts';
import { changeWords, type AllowedTargets, type Triage } from './triage.ts';

/** A name that tickets can have: a label or an assignee. */
export interface OfferedName {
	readonly name: string;
	/** The name as people read it. */
	readonly label: string;
	readonly iconPath: vscode.Uri | vscode.ThemeIcon;
	readonly facts: readonly string[];
	/** How many of the tickets can have it. */
	readonly possible: number;
}

/** How the question is put. */
export interface NameWords {
	readonly title: string;
	readonly placeHolder: string;
	readonly onAll: string;
	readonly onSome: string;
	readonly onNone: string;
	/** Behind a name that only some of the tickets have. */
	readonly addToAll: (count: number) => string;
	/** To take a name from those that have it. */
	readonly takeAway: (label: string) => string;
	/** A last row for names outside the list; absent if the list is complete. */
	readonly another?: { readonly heading: string; readonly label: string; readonly iconPath: vscode.ThemeIcon };
}

interface NameTick {
	readonly name: string;
	/**
	 * Meaning of a ticked row: set the name on all tickets, remove it from those that have it, or ask for another name.
	 */
	readonly kind: 'has' | 'takeAway' | 'another';
}

/**
 * Asks for names; ticks those that all tickets have. A name that only some tickets have gets two rows: set on all, and
 * remove from all. Without a tick each ticket keeps its state. `wantsAnother`: the user ticked the row for other names.
 */
export async function askNames(
	words: NameWords,
	offered: readonly OfferedName[],
	tickets: readonly Ticket[],
	namesOf: (ticket: Ticket) => readonly string[],
) {
	const count = ({ name }: OfferedName): number => tickets.filter((ticket) => namesOf(ticket).includes(name)).length;
	const onNone = offered.filter((each) => count(each) === 0);
	const onAll = offered.filter((each) => count(each) > 0 && count(each) >= each.possible);
	const onSome = offered.filter((each) => count(each) > 0 && count(each) < each.possible);
	const { another } = words;
	const groups: readonly TickGroup<NameTick>[] = [
		{ heading: words.onAll, choices: onAll.map((each) => hasTick(each, true)) },
		{
			heading: words.onSome,
			choices: onSome.flatMap((each) => [
				hasTick(each, false, words.addToAll(count(each))),
				{
					label: words.takeAway(each.label),
					description: fromText(count(each)),
					iconPath: each.iconPath,
					picked: false,
					value: { name: each.name, kind: 'takeAway' },
				},
			]),
		},
		{ heading: words.onNone, choices: onNone.map((each) => hasTick(each, false)) },
		...(another
			? [{ heading: another.heading, choices: [{ ...another, picked: false, alwaysShow: true, value: anotherTick }] }]
			: []),
	];
	const ticked = await chooseSeveral(words.title, words.placeHolder, groups);
	// Only a changed tick becomes a request.
	const changed = groups
		.flatMap(({ choices }) => choices)
		.filter(({ picked, value }) => value.kind !== 'another' && picked !== ticked.includes(value))
		.map(({ picked, value }) => ({ name: value.name, isWanted: value.kind === 'has' && !picked }));
	const add = changed.filter(({ isWanted }) => isWanted).map(({ name }) => name);
	const remove = changed.filter(({ isWanted }) => !isWanted).map(({ name }) => name);
	return {
		// Adding and removing the same name cancel out.
		request: {
			add: add.filter((name) => !remove.includes(name)),
			remove: remove.filter((name) => !add.includes(name)),
		},
		wantsAnother: ticked.some(({ kind }) => kind === 'another'),
	};
}

function fromText(count: number): string {
	return count === 1 ? vscode.l10n.t('from 1 ticket') : vscode.l10n.t('from {0} tickets', count);
}

const anotherTick: NameTick = { name: '', kind: 'another' };

function hasTick({ name, label, iconPath, facts }: OfferedName, picked: boolean, fact?: string): TickChoice<NameTick> {
	const all = [...(fact === undefined ? [] : [fact]), ...facts];
	return {
		label,
		...(all.length === 0 ? {} : { description: all.join(' · ') }),
		iconPath,
		picked,
		value: { name, kind: 'has' },
	};
}

/** Labels of one tracker. */
interface LabelledTracker {
	/** As people read it. */
	readonly name: string;
	readonly labels: readonly Label[];
	readonly labelNames: ReadonlySet<string>;
	/** Says that the forge lists only some labels. */
	readonly note: string | undefined;
	readonly subjects: readonly TicketSubject[];
}

/**
 * Asks for labels and sends the change. Labels with equal names in several trackers count as one; a ticket whose
 * tracker lacks a label gets the others.
 */
export async function labelTickets(
	triage: Triage,
	{ tickets: subjects, refused }: AllowedTargets,
	signal: AbortSignal,
): Promise<void> {
	const { context } = triage;
	const { connections } = context;
	const byTracker = Map.groupBy(subjects, ({ connectionKey, ref }) => `${connectionKey} ${refText(ref.tracker)}`);
	const [trackers, tickets] = await Promise.all([
		Promise.all(Array.from(byTracker.values(), (each) => withLabels(context, each, signal))),
		Promise.all(subjects.map((each) => connectionOf(connections, each).tickets.ticket(each.ref, signal))),
	]);
	const labels = offered(trackers);
	const note = trackers.find((each) => each.note !== undefined)?.note;
	if (labels.length === 0) {
		if (note !== undefined) {
			return void notify('warning', note);
		}
		const names = trackers.map(({ name }) => name).join(', ');
		const [subject] = subjects;
		const account = subject && connectionOf(connections, subject);
		const isManaged = account?.writes.labels !== undefined && subject?.ref.tracker.owner === account.me;
		if (subject && trackers.length === 1 && isManaged) {
			const manage = vscode.l10n.t('Manage Labels…');
			if (
				(await notify('information', vscode.l10n.t('{0} has no labels. Create one first.', names), manage)) === manage
			) {
				await vscode.commands.executeCommand('forge.trackers.manageLabels', trackerOf(subject));
			}
			return;
		}
		void notify(
			'information',
			trackers.length === 1
				? vscode.l10n.t('{0} has no labels. Create labels on the web.', names)
				: vscode.l10n.t('None of these trackers has labels: {0}. Create labels on the web.', names),
		);
		return;
	}
	const about = ticketsInWords(context, subjects);
	const wish = await askLabels(about, labels, tickets, note);
	if (wish.add.length + wish.remove.length === 0) {
		return;
	}
	const job = jobFor(subjects, trackers, wish);
	await triage.bulk.carryOut(
		{ ...changeWords('labels'), items: job.items, unsent: [...job.needless, ...refused] },
		signal,
	);
}

async function withLabels(
	{ connections }: TicketsContext,
	subjects: readonly TicketSubject[],
	signal: AbortSignal,
): Promise<LabelledTracker> {
	const [first] = subjects;
	if (!first) {
		return { name: '', labels: [], labelNames: new Set(), note: undefined, subjects };
	}
	const { tracker } = first.ref;
	const { tickets } = connectionOf(connections, first);
	const labels = await tickets.trackers.labels(tracker, signal);
	const labelNames = new Set(labels.map(({ name }) => name));
	return { name: visibleLine(refText(tracker)), labels, labelNames, note: someLabelsText(tickets, tracker), subjects };
}

/** Removes duplicate names; the first label's colour wins. */
function offered(trackers: readonly LabelledTracker[]): readonly OfferedName[] {
	const all = new Map(
		trackers
			.flatMap(({ labels }) => labels)
			.toReversed()
			.map((label) => [label.name, label]),
	);
	const sorted = [...all.values()].toSorted((one, other) => one.name.localeCompare(other.name, 'en'));
	return sorted.map((label) => {
		const { having = [], missing = [] } = Object.groupBy(trackers, ({ labelNames }) =>
			labelNames.has(label.name) ? 'having' : 'missing',
		);
		return {
			name: label.name,
			label: visibleLine(label.name),
			iconPath: swatch(label.colors.background),
			facts: missing.length === 0 ? [] : [vscode.l10n.t('not in {0}', missing.map(({ name }) => name).join(', '))],
			possible: having.reduce((sum, { subjects }) => sum + subjects.length, 0),
		};
	});
}

/** Plans the change for each ticket; tickets without a possible change get the reason. */
function jobFor(
	subjects: readonly TicketSubject[],
	trackers: readonly LabelledTracker[],
	{ add, remove }: LabelRequest,
): { readonly items: readonly TicketItem[]; readonly needless: readonly ItemResult[] } {
	const trackerOf = new Map(trackers.flatMap((tracker) => tracker.subjects.map((subject) => [subject, tracker])));
	const items: TicketItem[] = [];
	const needless: ItemResult[] = [];
	for (const subject of subjects) {
		const { name: tracker = '', labelNames, note } = trackerOf.get(subject) ?? {};
		const there = (name: string): boolean => labelNames?.has(name) === true || note !== undefined;
		const labels = { add: add.filter(there), remove: remove.filter(there) };
		if (labels.add.length + labels.remove.length > 0) {
			// A label that is to go and is not there is gone.
			const missing = add.filter((name) => !there(name));
			items.push({ subject, wish: { labels }, ...(missing.length > 0 ? { leftOut: lackText(tracker, missing) } : {}) });
		} else {
			const reason = [vscode.l10n.t('Not changed.'), lackText(tracker, [...add, ...remove])].join(' ');
			needless.push({ item: { subject, wish: {} }, outcome: { kind: 'needless', reason } });
		}
	}
	return { items, needless };
}

function lackText(tracker: string, labels: readonly string[]): string {
	const names = labels.map(visibleLine).join(', ');
	return labels.length === 1
		? vscode.l10n.t('{0} does not have the label {1}.', tracker, names)
		: vscode.l10n.t('{0} does not have the labels {1}.', tracker, names);
}

/** Asks for labels (`askNames`). `note` replaces the usual instruction. */
async function askLabels(
	about: string,
	labels: readonly OfferedName[],
	tickets: readonly Ticket[],
	note: string | undefined,
): Promise<LabelRequest> {
	const isOne = tickets.length === 1;
	const { request } = await askNames(
		{
			title: vscode.l10n.t('Labels of {0}', about),
			placeHolder:
				note ??
				(isOne
					? vscode.l10n.t('Check the labels that the ticket should have')
					: vscode.l10n.t('Check to add to all, uncheck to remove from all')),
			onAll: isOne ? vscode.l10n.t('On the ticket') : vscode.l10n.t('On all'),
			onSome: vscode.l10n.t('On some: unchecked labels stay as they are'),
			onNone: isOne ? vscode.l10n.t('Not on the ticket') : vscode.l10n.t('On none'),
			addToAll: (count) => vscode.l10n.t('on {0} of {1}; check to add to all', count, tickets.length),
			takeAway: (label) => vscode.l10n.t('Remove {0}', label),
		},
		labels,
		tickets,
		(ticket) => ticket.labels,
	);
	return request;
}
