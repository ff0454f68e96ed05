import type {
	Possibility,
	ResolutionChoice,
	TicketPageSend,
	TicketPageState,
	TicketPageStrings,
} from '../../protocol/ticketProtocol.ts';
import { h, hostHtml, onClick, setAttributes } from '../dom.ts';
import { icon } from '../icons.ts';
import { resolveButton } from './resolveButton.ts';
import { writeTabs } from './writeTabs.ts';

/** Known limits of a comment (observed-behaviour 10). */
const shortestComment = 3;
const longestComment = 16_384;

export interface ComposerParts {
	readonly strings: TicketPageStrings;
	readonly resolutions: readonly ResolutionChoice[];
	readonly draft: string;
	readonly resolution: string | undefined;
	/** Keeps what was typed; called soon after each change. */
	readonly keep: (draft: string, resolution: string | undefined) => void;
	/** Sends and shows the answer. Rejects with a sentence as message. */
	readonly send: (send: TicketPageSend) => Promise<void>;
	readonly preview: (text: string) => Promise<string>;
}

/** Where comments are written. */
export interface Composer {
	readonly element: HTMLElement;
	show(state: TicketPageState): void;
	focus(): void;
}

/** The text stays until the forge has it; nothing but sending empties the box. */
export function composer(parts: ComposerParts): Composer {
	const { strings } = parts;
	let state: TicketPageState | undefined;
	let isSending = false;
	let isSaid = false;
	let chosen = parts.resolutions.find(({ word }) => word === parts.resolution) ?? parts.resolutions[0];

	const textarea = h('textarea', {
		id: 'comment',
		rows: '1',
		placeholder: strings.commentPlaceholder,
		'aria-label': strings.yourComment,
		'aria-describedby': 'composer-note',
		spellcheck: 'true',
	});
	textarea.value = parts.draft;
	const failed = h('div', { class: 'failure', role: 'alert' });
	const note = h('span', { id: 'composer-note', class: 'quiet note', role: 'status' }, strings.sendKeys);
	const comment = onClick(h('button', { type: 'button', class: 'primary' }, strings.comment), () => send('comment'));
	const reopen = onClick(h('button', { type: 'button', class: 'secondary' }), () => send('reopen'));
	const resolve = resolveButton({
		strings,
		resolutions: parts.resolutions,
		chosen: chosen ?? { word: '', text: '', resolve: '', commentAndResolve: '' },
		onChoose: (resolution) => {
			chosen = resolution;
			parts.keep(textarea.value, resolution.word);
			draw();
		},
		resolve: () => send('resolve'),
	});
	const tabs = writeTabs({ strings, textarea, preview: async () => renderPreview() });
	const element = h(
		'section',
		{ class: 'composer', 'aria-label': strings.yourComment },
		failed,
		tabs.element,
		h('div', { class: 'actions' }, note, reopen, resolve.element, comment),
	);

	async function renderPreview(): Promise<Node> {
		const text = textarea.value;
		return text.trim() === ''
			? h('p', { class: 'quiet' }, strings.nothingToPreview)
			: h('div', { class: 'markdown' }, hostHtml(await parts.preview(text)));
	}

	/** Why something cannot be done now; `undefined` when it can. */
	function obstacle(what: 'comment' | 'resolve' | 'reopen'): string | undefined {
		const length = textarea.value.trim().length;
		if (isSending) {
			return strings.sending;
		}
		if (what === 'comment' && length === 0) {
			return strings.commentEmpty;
		}
		if (length > 0 && length < shortestComment) {
			return strings.commentTooShort;
		}
		if (length > longestComment) {
			return strings.commentTooLong;
		}
		return (
			refusal(length > 0 ? state?.canComment : undefined) ?? refusal(what === 'comment' ? undefined : state?.canTriage)
		);
	}

	function draw(): void {
		const hasText = textarea.value.trim() !== '';
		const isResolved = state?.isResolved === true;
		reopen.hidden = !isResolved;
		resolve.element.hidden = isResolved;
		reopen.textContent = hasText ? strings.commentAndReopen : strings.reopen;
		resolve.main.textContent = (hasText ? chosen?.commentAndResolve : chosen?.resolve) ?? '';
		enable(comment, obstacle('comment'));
		enable(reopen, obstacle('reopen'));
		enable(resolve.main, obstacle('resolve'));
		textarea.readOnly = isSending;
		setAttributes(element, { 'aria-busy': String(isSending) });
		grow(textarea);
	}

	function say(text: string): void {
		note.textContent = text;
	}

	function send(what: 'comment' | 'resolve' | 'reopen'): void {
		const reason = obstacle(what);
		if (reason !== undefined) {
			say(reason);
			return;
		}
		void deliver({ comment: textarea.value, move: moveOf(what, chosen) });
	}

	async function deliver(wish: TicketPageSend): Promise<void> {
		isSending = true;
		failed.replaceChildren();
		say(strings.sending);
		draw();
		try {
			await parts.send(wish);
			textarea.value = '';
			tabs.write();
			parts.keep('', chosen?.word);
			say(strings.sent);
		} catch (error) {
			failed.replaceChildren(icon('error'), error instanceof Error ? error.message : String(error));
			say(refusal(state?.canComment) ?? refusal(state?.canTriage) ?? '');
		} finally {
			isSending = false;
			draw();
		}
	}

	textarea.addEventListener('input', () => {
		parts.keep(textarea.value, chosen?.word);
		say(isSaid ? (warningOf(state) ?? '') : strings.draftSaved);
		isSaid = true;
		draw();
	});
	element.addEventListener('keydown', (event) => {
		if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
			event.preventDefault();
			send('comment');
		}
	});
	draw();
	return {
		element,
		show(next) {
			state = next;
			const refused = refusal(next.canComment) ?? refusal(next.canTriage);
			const reason = refused ?? (textarea.value === '' ? warningOf(next) : undefined);
			if (reason !== undefined && !isSending) {
				say(reason);
			}
			draw();
		},
		focus: () => textarea.focus(),
	};
}

function moveOf(what: 'comment' | 'resolve' | 'reopen', chosen: ResolutionChoice | undefined): TicketPageSend['move'] {
	switch (what) {
		case 'comment':
			return undefined;
		case 'resolve':
			return chosen && { kind: 'resolve', resolution: chosen.word };
		case 'reopen':
			return { kind: 'reopen' };
	}
}

function refusal(possibility: Possibility | undefined): string | undefined {
	return possibility?.kind === 'impossible' ? possibility.reason : undefined;
}

function warningOf(state: TicketPageState | undefined): string | undefined {
	const first = state && [state.canComment, state.canTriage].find((each) => each.kind === 'possible' && each.warning);
	return first?.kind === 'possible' ? first.warning : undefined;
}

/** A button that cannot work stays reachable, so that its reason can be read and heard. */
function enable(button: HTMLButtonElement, reason: string | undefined): void {
	setAttributes(button, { 'aria-disabled': reason === undefined ? undefined : 'true', title: reason });
}

function grow(textarea: HTMLTextAreaElement): void {
	textarea.style.setProperty('height', 'auto');
	textarea.style.setProperty('height', `${textarea.scrollHeight + 2}px`);
}
