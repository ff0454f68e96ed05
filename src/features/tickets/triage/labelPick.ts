import * as vscode from 'vscode';
import { chooseSeveral, type TickChoice, type TickGroup } from '../../../editor/ask/ask.ts';
import type { Ticket } from '../../../forge/ticket.ts';
import type { LabelRequest } from '../../../forge/ticketRequest.ts';
import type { Label } from '../../../forge/tracker.ts';
import { visibleLine } from '../../../text/visible.ts';
import { swatch } from '../manage/showLabels.ts';

interface LabelTick {
	readonly name: string;
	/** What a tick means: the label is wanted on all, or is to be taken away from those that have it. */
	readonly kind: 'has' | 'takeAway';
}

/** A label of the trackers that are meant. */
export interface OfferedLabel {
	readonly label: Label;
	/** Names of the trackers that have none of this name. */
	readonly missingIn: readonly string[];
	/** How many of the tickets can have it. */
	readonly possible: number;
}

/** What the question about labels is asked with. */
export interface LabelQuestion {
	/** Which tickets, as text for people. */
	readonly about: string;
	readonly labels: readonly OfferedLabel[];
	/** One or many, as they are known now. */
	readonly tickets: readonly Ticket[];
}

/**
 * Asks for labels, those that all tickets have being ticked. A label that only some of several tickets have stands there
 * twice: to set it on all, and to take it away from all; left alone, each ticket keeps what it has.
 */
export async function askLabels({ about, labels, tickets }: LabelQuestion): Promise<LabelRequest> {
	const groups = labelGroups(labels, tickets);
	const placeHolder =
		tickets.length === 1
			? vscode.l10n.t('Check the labels that the ticket should have')
			: vscode.l10n.t('Check to add to all, uncheck to remove from all');
	const ticked = await chooseSeveral(vscode.l10n.t('Labels of {0}', about), placeHolder, groups);
	return wishOf(groups, ticked);
}

/** The groups in which labels are offered. */
function labelGroups(labels: readonly OfferedLabel[], tickets: readonly Ticket[]): readonly TickGroup<LabelTick>[] {
	const count = ({ label: { name } }: OfferedLabel): number =>
		tickets.filter((ticket) => ticket.labels.includes(name)).length;
	const sorted = labels.toSorted((one, other) => one.label.name.localeCompare(other.label.name, 'en'));
	const onNone = sorted.filter((label) => count(label) === 0);
	const onAll = sorted.filter((label) => count(label) > 0 && count(label) >= label.possible);
	const onSome = sorted.filter((label) => count(label) > 0 && count(label) < label.possible);
	const isOne = tickets.length === 1;
	return [
		{
			heading: isOne ? vscode.l10n.t('On the ticket') : vscode.l10n.t('On all'),
			choices: onAll.map((label) => hasTick(label, true)),
		},
		{
			heading: vscode.l10n.t('On some: unchecked labels stay as they are'),
			choices: onSome.flatMap((label) => [
				hasTick(label, false, vscode.l10n.t('on {0} of {1}; check to add to all', count(label), tickets.length)),
				takeAwayTick(label.label, count(label)),
			]),
		},
		{
			heading: isOne ? vscode.l10n.t('Not on the ticket') : vscode.l10n.t('On none'),
			choices: onNone.map((label) => hasTick(label, false)),
		},
	];
}

function hasTick({ label, missingIn }: OfferedLabel, picked: boolean, fact?: string): TickChoice<LabelTick> {
	const missing = missingIn.length === 0 ? undefined : vscode.l10n.t('not in {0}', missingIn.join(', '));
	const facts = [fact, missing].filter((each) => each !== undefined);
	return {
		label: visibleLine(label.name),
		...(facts.length === 0 ? {} : { description: facts.join(' · ') }),
		iconPath: swatch(label),
		picked,
		value: { name: label.name, kind: 'has' },
	};
}

function takeAwayTick(label: Label, count: number): TickChoice<LabelTick> {
	return {
		label: vscode.l10n.t('Remove {0}', visibleLine(label.name)),
		description: count === 1 ? vscode.l10n.t('from 1 ticket') : vscode.l10n.t('from {0} tickets', count),
		iconPath: swatch(label),
		picked: false,
		value: { name: label.name, kind: 'takeAway' },
	};
}

/** What ticks mean: only where a tick was set or taken away something changes. */
function wishOf(groups: readonly TickGroup<LabelTick>[], ticked: readonly LabelTick[]): LabelRequest {
	const changed = groups
		.flatMap(({ choices }) => choices)
		.filter(({ picked, value }) => picked !== ticked.includes(value))
		.map(({ picked, value }) => ({ name: value.name, isWanted: value.kind === 'has' && !picked }));
	const add = changed.filter(({ isWanted }) => isWanted).map(({ name }) => name);
	const remove = changed.filter(({ isWanted }) => !isWanted).map(({ name }) => name);
	// Set on all and taken away from all at once means nothing.
	return {
		add: add.filter((name) => !remove.includes(name)),
		remove: remove.filter((name) => !add.includes(name)),
	};
}
