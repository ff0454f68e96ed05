import type { MailStrings, MailPersonView } from './protocol/pageProtocol.ts';
import { h, onClick } from './dom.ts';
import { fill, pilled } from './texts.ts';
import { icon } from './icons.ts';

/** A mail's sender, according to the mail and the forge. */
export interface MailSender {
	readonly from: readonly MailPersonView[];
	/** `~name`, if the forge knows one; hidden characters are visible. Empty in an archive, where nobody has one. */
	readonly account: string | undefined;
}

export interface PeopleContext extends PersonContext {
	readonly strings: MailStrings;
}

export interface PersonContext {
	readonly strings: Pick<MailStrings, 'openPerson'>;
	/** Opens a person's page, by account or address. */
	readonly openPerson: (name: string) => void;
}

/** Always shows the address, because anybody can choose any name. */
export function senderLine({ from, account }: MailSender, context: PeopleContext): HTMLElement {
	const name = account === '' ? undefined : account;
	const none = account === '' ? [] : [h('span', { class: 'mark' }, context.strings.noAccount)];
	if (from.length === 0) {
		return h('span', { class: 'who' }, ...(name === undefined ? none : [personButton(name, name, context)]));
	}
	const people = from.flatMap((each, at) => [
		...(at > 0 ? [', '] : []),
		...personParts(each, context, at === 0 ? name : undefined),
	]);
	const mark = name === undefined ? none : [h('span', { class: 'quiet account' }, pilled(name))];
	return h('span', { class: 'who' }, ...people, ' ', ...mark);
}

/** `To: …` line of a mail. */
export function receiversLine(
	label: string,
	people: readonly MailPersonView[],
	{ more, ...context }: PeopleContext & { readonly more: number },
): HTMLElement {
	const parts = people.flatMap((each, at) => [...(at > 0 ? [', '] : []), ...personParts(each, context)]);
	const rest = more > 0 ? ` ${fill(context.strings.andMore, String(more))}` : undefined;
	return h('p', { class: 'receivers quiet' }, `${label}: `, ...parts, rest);
}

/** Warnings, one per line. */
export function cautionLines(cautions: readonly string[], strings: MailStrings): readonly HTMLElement[] {
	return cautions.map((caution) =>
		h(
			'p',
			{ class: 'caution' },
			icon('warning'),
			h('span', {}, h('strong', {}, `${strings.caution}: `), pilled(caution)),
		),
	);
}

/**
 * Name and address, because anybody can choose any name. A click opens the account or address; a mere name is no link.
 */
export function personParts(
	{ name, address }: MailPersonView,
	context: PersonContext,
	account = address === '' && name.startsWith('~') ? name : undefined,
): readonly (Node | string)[] {
	const known = account ?? address;
	const shown = name === '' ? address : name;
	return [
		known === '' ? h('span', { class: 'person' }, pilled(shown)) : personButton(shown, known, context),
		...(name === '' || address === '' ? [] : [' ', h('span', { class: 'quiet address' }, '<', pilled(address), '>')]),
	];
}

function personButton(text: string, name: string, { strings, openPerson }: PersonContext): HTMLElement {
	const button = h(
		'button',
		{ type: 'button', class: 'link person', title: fill(strings.openPerson, name) },
		pilled(text),
	);
	return onClick(button, () => openPerson(name));
}
