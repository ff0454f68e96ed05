import { isSameValue } from '../../base/isSameValue.ts';
import type { QueuedAct, QueuedView } from '../protocol/ticketProtocol.ts';
import { h, pushButton } from '../dom.ts';
import { icon } from '../icons.ts';
import { dot, pilled } from '../texts.ts';
import type { TicketPage } from './ticketPage.ts';

/** Changes that wait in the outbox, between the timeline and the comment box. */
export function queued({ strings, times, link, done }: TicketPage) {
	const list = h('ol', { class: 'entries' });
	const element = h(
		'section',
		{ class: 'queued', 'aria-labelledby': 'queued-title' },
		h('h2', { id: 'queued-title' }, strings.outbox),
		list,
	);
	element.hidden = true;
	// An empty comment box shrinks without the focus, and the buttons would move away from the pointer that presses them.
	element.addEventListener('mousedown', (event) => {
		if (event.target instanceof HTMLButtonElement) {
			event.preventDefault();
		}
	});

	function row({ id, title, state, isStopped, text, queuedMs }: QueuedView): HTMLElement {
		const act = (name: QueuedAct['act'], label: string): HTMLElement =>
			pushButton('secondary', () => done(link.ask('actOnQueued', { id, act: name })), label);
		return h(
			'li',
			{ class: isStopped ? 'queued-item stopped' : 'queued-item' },
			h(
				'p',
				{ class: 'byline' },
				icon(isStopped ? 'warning' : 'pending'),
				h('strong', {}, pilled(title)),
				dot(),
				h('span', {}, pilled(state)),
				dot(),
				times.element(queuedMs),
			),
			...(text === '' ? [] : [h('pre', { class: 'queued-text' }, text)]),
			h(
				'div',
				{ class: 'queued-acts' },
				...(isStopped ? [act('sendAnyway', strings.sendAnyway)] : []),
				...(text === '' ? [] : [act('edit', strings.editAsDraft)]),
				act('withdraw', strings.withdraw),
			),
		);
	}

	let shown: readonly QueuedView[] = [];

	return {
		element,
		/** Redraws only after a change: a button must not go away between press and release. */
		show(items: readonly QueuedView[]): void {
			if (isSameValue(items, shown)) {
				return;
			}
			shown = items;
			const hadFocus = element.contains(document.activeElement);
			element.hidden = items.length === 0;
			list.replaceChildren(...items.map(row));
			if (hadFocus) {
				list.querySelector('button')?.focus();
			}
		},
	};
}
