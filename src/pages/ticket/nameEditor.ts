import type { NameChoice, Possibility } from '../protocol/ticketProtocol.ts';
import { disabledBecause, h, holdsFocus, onClick, setAttributes } from '../dom.ts';
import { labelChip, pilled } from '../texts.ts';
import { reasonOf } from '../voice.ts';
import type { TicketPage } from './ticketPage.ts';

/** Minimum margin beside the popup. */
const marginPx = 16;

/** A button and a popup for labels or assignees. Typing filters, arrows move, Enter toggles, Ctrl+Enter saves, Escape cancels. */
export function nameEditor({ strings, link }: TicketPage, id: 'label' | 'person') {
	const isLabel = id === 'label';
	const [title, word, heading, find, none] = isLabel
		? [strings.editLabels, strings.edit, strings.labels, strings.findLabel, strings.noLabels]
		: [strings.assign, strings.assign, strings.people, strings.findPerson, strings.noPeople];
	const choices = (): Promise<readonly NameChoice[]> => link.ask(isLabel ? 'labelChoices' : 'personChoices', undefined);
	const button = h('button', { type: 'button', class: 'bare', title, 'aria-label': title }, word);
	setAttributes(button, { 'aria-haspopup': 'dialog', 'aria-expanded': 'false' });
	const list = h('ul', {
		id: `${id}-list`,
		role: 'listbox',
		'aria-multiselectable': 'true',
		'aria-label': heading,
	});
	const filter = h('input', {
		type: 'text',
		role: 'combobox',
		placeholder: find,
		'aria-label': find,
		'aria-controls': `${id}-list`,
		'aria-expanded': 'true',
		'aria-autocomplete': 'list',
	});
	const said = h('p', { class: 'failure', role: 'alert' });
	const save = h('button', { type: 'button', class: 'secondary' }, strings.save);
	const cancel = h('button', { type: 'button' }, strings.cancel);
	const popup = h(
		'div',
		{ class: 'popup', role: 'dialog', 'aria-label': title, hidden: true },
		filter,
		list,
		said,
		h('div', { class: 'popup-actions' }, save, cancel),
	);
	let all: readonly NameChoice[] = [];
	let wanted = new Set<string>();
	let marked = 0;
	/** Incremented on each opening and closing. */
	let opening = 0;
	/** Resolves to true when the choices of this opening have loaded. */
	let arrived: Promise<boolean> = Promise.resolve(false);

	/** Defers a key until the choices have loaded: the user may type ahead. */
	async function onceThere(work: () => void): Promise<void> {
		const turn = opening;
		if ((await arrived) && turn === opening) {
			work();
		}
	}

	function fitting(typed: string): readonly NameChoice[] {
		const text = typed.trim().toLowerCase();
		const found = all.filter(({ look }) => look.name.toLowerCase().includes(text));
		// Any account can be assigned, known here or not.
		const person = text.startsWith('~') ? text : `~${text}`;
		return isLabel || !/^~[a-z_][a-z0-9_-]{0,63}$/.test(person) || all.some(({ name }) => name === person)
			? found
			: [...found, { name: person, look: { name: person, colors: undefined }, isOn: false }];
	}

	function draw(): void {
		const shown = fitting(filter.value);
		marked = Math.max(0, Math.min(marked, shown.length - 1));
		list.replaceChildren(
			...shown.map((choice, at) => {
				const isOn = wanted.has(choice.name);
				const option = h(
					'li',
					{
						id: `${id}-${at}`,
						role: 'option',
						'aria-selected': String(isOn),
						class: at === marked ? 'marked' : undefined,
					},
					h('span', { class: isOn ? 'tick on' : 'tick', 'aria-hidden': 'true' }),
					isLabel ? labelChip(choice.look) : h('span', {}, pilled(choice.look.name)),
				);
				option.addEventListener('mousedown', (event) => {
					event.preventDefault();
					marked = at;
					toggle(choice);
				});
				return option;
			}),
		);
		list.hidden = shown.length === 0;
		said.textContent = shown.length === 0 ? none : '';
		setAttributes(filter, { 'aria-activedescendant': shown.length > 0 ? `${id}-${marked}` : undefined });
		list.children[marked]?.scrollIntoView({ block: 'nearest' });
	}

	function toggle(choice: NameChoice | undefined): void {
		if (choice && !wanted.delete(choice.name)) {
			wanted.add(choice.name);
			if (!all.some(({ name }) => name === choice.name)) {
				all = [...all, choice];
			}
		}
		draw();
	}

	function open(): void {
		popup.hidden = false;
		setAttributes(button, { 'aria-expanded': 'true' });
		filter.value = '';
		keepOnPage();
		filter.focus();
		// Unsaved ticks of the last opening.
		list.replaceChildren();
		said.textContent = '';
		opening += 1;
		arrived = load(opening);
	}

	/** Shifts the popup left: if it overflowed, the page would scroll sideways. */
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
		const wasHere = holdsFocus(popup);
		opening += 1;
		popup.hidden = true;
		setAttributes(button, { 'aria-expanded': 'false' });
		if (wasHere) {
			button.focus();
		}
	}

	async function apply(): Promise<void> {
		if (save.disabled) {
			return;
		}
		const add = all.filter(({ name, isOn }) => !isOn && wanted.has(name)).map(({ name }) => name);
		const remove = all.filter(({ name, isOn }) => isOn && !wanted.has(name)).map(({ name }) => name);
		const turn = opening;
		save.disabled = true;
		said.textContent = '';
		try {
			const answer =
				add.length + remove.length > 0
					? await link.ask(isLabel ? 'changeLabels' : 'changeAssignees', { add, remove })
					: undefined;
			if (answer === undefined || (answer.kind === 'done' && answer.text === '') || answer.kind === 'arrived') {
				// Another opening stays open.
				if (turn === opening) {
					close();
				}
				return;
			}
			const found = await choices();
			if (turn === opening) {
				all = found;
				draw();
			}
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
		if (event.isComposing) {
			return;
		}
		const typed = filter.value;
		const actions: Readonly<Record<string, () => void>> = {
			ArrowDown: () => void onceThere(() => move(marked + 1)),
			ArrowUp: () => void onceThere(() => move(marked - 1)),
			Escape: close,
		};
		if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
			void onceThere(() => void apply());
		} else if (event.key === 'Enter' && event.target === filter) {
			void onceThere(() => toggle(fitting(typed)[marked]));
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

	function show(can: Possibility): void {
		const reason = can.kind === 'impossible' ? can.reason : undefined;
		setAttributes(button, { ...disabledBecause(reason), title: reason ?? title });
	}

	return {
		element: h('div', { class: 'anchor' }, button, popup),
		/** Updates the availability; a disabled button stays focusable, so that its reason remains accessible. */
		show,
	};
}
