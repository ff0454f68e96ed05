import type { TicketPageStrings } from '../../protocol/ticketStrings.ts';
import type { NamedInView } from '../../protocol/ticketView.ts';
import { h, onClick } from '../dom.ts';
import { icon } from '../icons.ts';
import { pilled } from '../texts.ts';
import { reasonOf } from '../voice.ts';

/** What can be done with the mails that name the ticket. */
export interface NamedInWays {
	readonly open: (key: string) => void;
	/** Looks for more of them. */
	readonly look: () => Promise<void>;
	/** Tells people who do not see the page. */
	readonly say: (text: string) => void;
}

/** Its places on the page. */
export interface NamedIn {
	/** What is known; hidden while that is nothing. */
	readonly element: HTMLElement;
	/** The way to look for more. */
	readonly look: HTMLElement;
	show(rows: readonly NamedInView[]): void;
}

/** Patchsets and mails that name the ticket, and the way to look for them. */
export function namedIn(strings: TicketPageStrings, ways: NamedInWays): NamedIn {
	const heading = h('h3', { id: 'named-in-title' }, strings.namedIn);
	const list = h('ul', { 'aria-labelledby': 'named-in-title' });
	const look = onClick(
		h('button', { class: 'link look', type: 'button' }, strings.lookForNamings),
		() => void lookNow(),
	);
	const note = h('span', { class: 'quiet' });
	const element = h('div', { class: 'named-in', hidden: '' }, heading, list);
	let shown: readonly NamedInView[] = [];
	let said = '';

	async function lookNow(): Promise<void> {
		if (look.getAttribute('aria-disabled') === 'true') {
			return;
		}
		look.setAttribute('aria-disabled', 'true');
		note.textContent = strings.looking;
		try {
			await ways.look();
			note.textContent = shown.length === 0 ? strings.noNamings : '';
			ways.say(shown.length === 0 ? strings.noNamings : `${strings.namedIn}: ${shown.length}`);
		} catch (error) {
			note.textContent = reasonOf(error);
			ways.say(note.textContent);
		} finally {
			look.removeAttribute('aria-disabled');
		}
	}

	return {
		element,
		look: h('p', { class: 'look-for-namings' }, look, note),
		show(rows) {
			shown = rows;
			element.hidden = rows.length === 0;
			const now = JSON.stringify(rows);
			if (now !== said) {
				said = now;
				list.replaceChildren(...rows.map((row) => rowElement(row, ways)));
			}
		},
	};
}

function rowElement({ key, kind, title, version, list, trailer }: NamedInView, { open }: NamedInWays): HTMLElement {
	return h(
		'li',
		{},
		icon(kind === 'patchset' ? 'patchset' : 'comment'),
		onClick(h('button', { class: 'link', type: 'button' }, pilled(title)), () => open(key)),
		h('span', { class: 'quiet' }, pilled([version, trailer ?? '', list].filter((fact) => fact !== '').join(' · '))),
	);
}
