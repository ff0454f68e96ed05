import type { Ticket } from 'sourcehut/port/ticket.ts';
import { visibleLine } from '../../../engine/text/visible.ts';

/**
 * The editor cuts a row at its end, and reports the width of no view. So the title gives way to the facts, as far as the
 * view's first width needs it. Widths are in average letters.
 */
const rowWidth = 28;
/** Title and number stay in sight in a narrower window, too. */
const narrowRow = 21;
/** A title keeps this much, whatever else the row has. */
const leastTitle = 13;
/** Names use more if the title needs less. */
const leastName = 5.4;
const trackerWidth = 8;
/** The editor draws a description smaller, after a gap. */
const factScale = 0.9;
const factGap = 0.75;

/**
 * Label and description of a ticket's row. The editor's search in a tree reads labels only, so the number is in the
 * label. `tracker`: its name, if the row names it. `others`: further facts at the end.
 */
export function ticketRowText(
	{ id, title, labels, assignees }: Ticket,
	tracker: string | undefined,
	age: string,
	others: readonly string[],
): { readonly label: string; readonly description: string } {
	const number = `${tracker === undefined ? '' : fitting(visibleLine(tracker), trackerWidth)}#${id}`;
	const people = assignees.map(({ canonicalName }) => canonicalName);
	const describe = (label: string, person: string): string =>
		[age, label, person, ...others].filter((fact) => fact !== '').join(' ');
	const taken = (description: string): number => widthOf(` ${number}`) + factGap + factScale * widthOf(description);
	const [label, person] = [firstOf(labels, leastName), firstOf(people, leastName)];
	const room = Math.min(rowWidth - taken(describe(label, person)), narrowRow - widthOf(` ${number}`));
	const shown = fitting(visibleLine(title), Math.max(room, leastTitle));
	const spare = (description: string): number =>
		Math.max(0, rowWidth - widthOf(shown) - taken(description)) / factScale;
	const wideLabel = firstOf(labels, leastName + spare(describe(label, person)));
	const widePerson = firstOf(people, leastName + spare(describe(wideLabel, person)));
	return { label: titleWith(shown, number), description: describe(wideLabel, widePerson) };
}

/** A whole title with its number. A mark after a right-to-left word keeps a number on its own side. */
export function titleWith(title: string, number: string): string {
	return `${leftToRight(title)} ${number}`;
}

/** The first names that fit, and how many follow. */
function firstOf(names: readonly string[], width: number): string {
	const [first = '', ...others] = names.map(visibleLine);
	let text = fitting(first, width);
	let shown = 1;
	while (shown < names.length && widthOf(`${text}, ${others[shown - 1]}`) <= width) {
		text += `, ${others[shown - 1]}`;
		shown += 1;
	}
	return shown < names.length ? `${leftToRight(text)} +${names.length - shown}` : text;
}

function leftToRight(text: string): string {
	return /\p{Script=Hebrew}|\p{Script=Arabic}|\p{Script=Syriac}|\p{Script=Thaana}|\p{Script=Nko}/u.test(text)
		? `${text}\u200E`
		: text;
}

/** The text, or its beginning with "…". */
function fitting(text: string, width: number): string {
	let [used, kept, at] = [0, 0, 0];
	for (const letter of text) {
		const own = widthOf(letter);
		used += own;
		if (used > width) {
			return `${text.slice(0, kept).trimEnd()}…`;
		}
		at += letter.length;
		// A mark belongs to the letter before it, and what follows a joiner too.
		if (used + widthOf('…') <= width && !joinsNext(text, at)) {
			kept = at;
		}
	}
	return text;
}

function joinsNext(text: string, at: number): boolean {
	const next = String.fromCodePoint(text.codePointAt(at) ?? 0);
	return text.charAt(at - 1) === '\u200D' || /\p{M}|\p{Emoji_Modifier}|\u200D/u.test(next);
}

/** Widths of letters that differ much from the average. */
const widths: readonly (readonly [RegExp, number])[] = [
	[/[a-eghknopqsuvxyz0-9]/, 1],
	[/[ijlIftr.,:;·'’|!()[\]\s]/, 0.55],
	[/[\p{M}\p{Default_Ignorable_Code_Point}]/u, 0],
	[/[mwMW@%#~…]|\p{Lu}/u, 1.25],
	// East Asian letters and pictures.
	[
		/[\p{Extended_Pictographic}\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE4F\uFF00-\uFF60\uFFE0-\uFFE6]/u,
		1.8,
	],
];

function widthOf(text: string): number {
	let width = 0;
	for (const letter of text) {
		width += widths.find(([pattern]) => pattern.test(letter))?.[1] ?? 1;
	}
	return width;
}
