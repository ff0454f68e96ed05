import * as vscode from 'vscode';
import { chooseSeveral, type TickChoice, type TickGroup } from '../../../editor/ask/ask.ts';
import type { Ticket } from '../../../forge/port/ticket.ts';
import type { LabelRequest } from '../../../forge/port/ticketRequest.ts';

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
				takeAwayTick(each, words.takeAway(each.label), fromText(count(each))),
			]),
		},
		{ heading: words.onNone, choices: onNone.map((each) => hasTick(each, false)) },
		...(another
			? [{ heading: another.heading, choices: [{ ...another, picked: false, alwaysShow: true, value: anotherTick }] }]
			: []),
	];
	const ticked = await chooseSeveral(words.title, words.placeHolder, groups);
	return { request: requestOf(groups, ticked), wantsAnother: ticked.some(({ kind }) => kind === 'another') };
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

function takeAwayTick({ name, iconPath }: OfferedName, label: string, description: string): TickChoice<NameTick> {
	return { label, description, iconPath, picked: false, value: { name, kind: 'takeAway' } };
}

/** Only a changed tick becomes a request. */
function requestOf(groups: readonly TickGroup<NameTick>[], ticked: readonly NameTick[]): LabelRequest {
	const changed = groups
		.flatMap(({ choices }) => choices)
		.filter(({ picked, value }) => value.kind !== 'another' && picked !== ticked.includes(value))
		.map(({ picked, value }) => ({ name: value.name, isWanted: value.kind === 'has' && !picked }));
	const add = changed.filter(({ isWanted }) => isWanted).map(({ name }) => name);
	const remove = changed.filter(({ isWanted }) => !isWanted).map(({ name }) => name);
	// Adding and removing the same name cancel out.
	return {
		add: add.filter((name) => !remove.includes(name)),
		remove: remove.filter((name) => !add.includes(name)),
	};
}
