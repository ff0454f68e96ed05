import type { LabelChange, SendAnswer } from '../../protocol/ticketProtocol.ts';
import type { TicketPageStrings } from '../../protocol/ticketStrings.ts';
import type { LabelChoice } from '../../protocol/ticketView.ts';
import { h, onClick, setAttributes } from '../dom.ts';
import { icon } from '../icons.ts';
import { labelChip } from '../texts.ts';
import { reasonOf } from '../voice.ts';

export interface LabelEditorParts {
	readonly strings: TicketPageStrings;
	readonly choices: () => Promise<readonly LabelChoice[]>;
	/** Rejects with a sentence as message. */
	readonly change: (labels: LabelChange) => Promise<SendAnswer>;
}

/** A button, and below it the tracker's labels to put on and take off. */
export interface LabelEditor {
	readonly element: HTMLElement;
	readonly button: HTMLButtonElement;
}

/** What stays free beside the box. */
const marginPx = 16;

/** Typing narrows the list, arrows mark, Enter puts on or takes off, Ctrl+Enter saves, Escape leaves all as it was. */
export function labelEditor({ strings, choices, change }: LabelEditorParts): LabelEditor {
	const button = h(
		'button',
		{ type: 'button', class: 'bare', title: strings.editLabels, 'aria-label': strings.editLabels },
		icon('label'),
	);
	setAttributes(button, { 'aria-haspopup': 'dialog', 'aria-expanded': 'false' });
	const list = h('ul', {
		id: 'label-list',
		role: 'listbox',
		'aria-multiselectable': 'true',
		'aria-label': strings.labels,
	});
	const filter = h('input', {
		type: 'text',
		role: 'combobox',
		placeholder: strings.findLabel,
		'aria-label': strings.findLabel,
		'aria-controls': 'label-list',
		'aria-expanded': 'true',
		'aria-autocomplete': 'list',
	});
	const said = h('p', { class: 'failure', role: 'alert' });
	const save = h('button', { type: 'button', class: 'secondary' }, strings.save);
	const cancel = h('button', { type: 'button' }, strings.cancel);
	const popup = h(
		'div',
		{ class: 'popup', role: 'dialog', 'aria-label': strings.editLabels, hidden: true },
		filter,
		list,
		said,
		h('div', { class: 'popup-actions' }, save, cancel),
	);
	let all: readonly LabelChoice[] = [];
	let wanted = new Set<string>();
	let marked = 0;
	/** Changes with each opening and closing. */
	let opening = 0;
	/** Resolves with whether the choices of this opening are there. */
	let arrived: Promise<boolean> = Promise.resolve(false);

	/** Does what a key means as soon as the choices are there: fingers may be quicker than they are. */
	async function onceThere(work: () => void): Promise<void> {
		const turn = opening;
		if ((await arrived) && turn === opening) {
			work();
		}
	}

	function fitting(typed: string): readonly LabelChoice[] {
		const text = typed.trim().toLowerCase();
		return all.filter(({ look }) => look.name.toLowerCase().includes(text));
	}

	function draw(): void {
		const shown = fitting(filter.value);
		marked = Math.max(0, Math.min(marked, shown.length - 1));
		list.replaceChildren(
			...shown.map(({ name, look }, at) => {
				const isOn = wanted.has(name);
				const option = h(
					'li',
					{
						id: `label-${at}`,
						role: 'option',
						'aria-selected': String(isOn),
						class: at === marked ? 'marked' : undefined,
					},
					h('span', { class: isOn ? 'tick on' : 'tick', 'aria-hidden': 'true' }),
					labelChip(look),
				);
				option.addEventListener('mousedown', (event) => {
					event.preventDefault();
					marked = at;
					toggle(name);
				});
				return option;
			}),
		);
		list.hidden = shown.length === 0;
		said.textContent = shown.length === 0 ? strings.noLabels : '';
		setAttributes(filter, { 'aria-activedescendant': shown.length > 0 ? `label-${marked}` : undefined });
		list.children[marked]?.scrollIntoView({ block: 'nearest' });
	}

	function toggle(name: string | undefined): void {
		if (name !== undefined && !wanted.delete(name)) {
			wanted.add(name);
		}
		draw();
	}

	function open(): void {
		popup.hidden = false;
		setAttributes(button, { 'aria-expanded': 'true' });
		filter.value = '';
		keepOnPage();
		filter.focus();
		// What was ticked the last time may not have been saved.
		list.replaceChildren();
		said.textContent = '';
		opening += 1;
		arrived = load(opening);
	}

	/** The button may stand far to the right, and what is wider than the page would move the page away sideways. */
	function keepOnPage(): void {
		popup.style.setProperty('left', '0');
		const beyond = popup.getBoundingClientRect().right - document.documentElement.clientWidth + marginPx;
		popup.style.setProperty('left', `${Math.min(0, -beyond)}px`);
	}

	async function load(turn: number): Promise<boolean> {
		try {
			const found = await choices();
			if (turn === opening) {
				all = found;
				wanted = new Set(all.filter(({ isOn }) => isOn).map(({ name }) => name));
				marked = 0;
				draw();
				keepOnPage();
			}
			return true;
		} catch (error) {
			if (turn === opening) {
				said.textContent = reasonOf(error);
			}
			return false;
		}
	}

	function close(): void {
		opening += 1;
		popup.hidden = true;
		setAttributes(button, { 'aria-expanded': 'false' });
		button.focus();
	}

	async function apply(): Promise<void> {
		if (save.disabled) {
			return;
		}
		const add = all.filter(({ name, isOn }) => !isOn && wanted.has(name)).map(({ name }) => name);
		const remove = all.filter(({ name, isOn }) => isOn && !wanted.has(name)).map(({ name }) => name);
		save.disabled = true;
		said.textContent = '';
		try {
			const answer = add.length + remove.length > 0 ? await change({ add, remove }) : undefined;
			if (answer === undefined || (answer.kind === 'done' && answer.text === '') || answer.kind === 'arrived') {
				close();
				return;
			}
			all = await choices();
			draw();
			said.textContent = answer.text;
		} catch (error) {
			said.textContent = reasonOf(error);
		} finally {
			save.disabled = false;
		}
	}

	function move(to: number): void {
		marked = to;
		draw();
	}

	filter.addEventListener('input', () => void onceThere(() => move(0)));
	popup.addEventListener('keydown', (event) => {
		const typed = filter.value;
		const actions: Readonly<Record<string, () => void>> = {
			ArrowDown: () => void onceThere(() => move(marked + 1)),
			ArrowUp: () => void onceThere(() => move(marked - 1)),
			Escape: close,
		};
		if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
			void onceThere(() => void apply());
		} else if (event.key === 'Enter' && event.target === filter) {
			void onceThere(() => toggle(fitting(typed)[marked]?.name));
		} else if (actions[event.key]) {
			actions[event.key]?.();
		} else {
			return;
		}
		event.preventDefault();
		event.stopPropagation();
	});
	onClick(button, () => {
		if (button.getAttribute('aria-disabled') !== 'true') {
			(popup.hidden ? open : close)();
		}
	});
	onClick(save, () => void onceThere(() => void apply()));
	onClick(cancel, close);
	return { element: h('div', { class: 'anchor' }, button, popup), button };
}
