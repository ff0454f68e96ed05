import type { OpenSend, SendAnswer, TicketPageSend } from '../../protocol/ticketProtocol.ts';
import type { TicketPageStrings } from '../../protocol/ticketStrings.ts';
import type { HeadView, Possibility } from '../../protocol/ticketView.ts';
import { ticketLimits } from '../../forge/ticketLimits.ts';
import { h, onClick, setAttributes } from '../dom.ts';
import { icon } from '../icons.ts';
import { reasonOf } from '../voice.ts';
import { moveButton } from './moveButton.ts';
import { textBox, type WritingHelp } from './textBox.ts';

export interface ComposerParts {
	readonly strings: TicketPageStrings;
	readonly help: WritingHelp;
	readonly draft: string;
	/** The move chosen last, by its key. */
	readonly move: string | undefined;
	/** Keeps what was typed; called at each change. */
	readonly keep: (draft: string) => void;
	readonly keepMove: (key: string) => void;
	/** Sends; what comes of the ticket is shown before this resolves. Rejects with a sentence as message. */
	readonly send: (send: TicketPageSend) => Promise<SendAnswer>;
	readonly lookAgain: () => Promise<SendAnswer>;
	/** How the send ended that was under way when the page started. */
	readonly outcome: () => Promise<SendAnswer>;
}

/** Where comments are written. */
export interface Composer {
	readonly element: HTMLElement;
	show(head: HeadView): void;
	focus(): void;
	/** Goes on where the host stands: with its draft unless something was typed since, and with what was sent. */
	takeUp(draft: string, sent: OpenSend | undefined): void;
	/** Says once that what was typed is a draft, or why it could not be kept, for as long as it cannot. */
	readonly draftKept: (reason: string | undefined) => void;
	/** Puts a text into the box as a quote. */
	readonly quote: (text: string) => void;
}

type What = 'comment' | 'move';

/** The text stays until the forge has it; nothing but sending empties the box. */
export function composer(parts: ComposerParts): Composer {
	const { strings } = parts;
	let head: HeadView | undefined;
	let isSending = false;
	let isSaid = false;
	let isTouched = false;
	let refusedDraft: string | undefined;
	/** Quotes that were wished while the box belonged to what was being sent. */
	const quotes: string[] = [];

	const box = textBox({
		strings,
		help: parts.help,
		id: 'comment',
		label: strings.yourComment,
		text: parts.draft,
		attributes: { rows: '1', placeholder: strings.commentPlaceholder, 'aria-describedby': 'composer-note' },
	});
	const { textarea } = box;
	const failed = h('div', { class: 'failure', role: 'alert' });
	const note = h('span', { id: 'composer-note', class: 'quiet note', role: 'status' }, strings.sendKeys);
	const comment = onClick(h('button', { type: 'button', class: 'primary' }, strings.comment), () => send('comment'));
	const move = moveButton({
		strings,
		chosen: parts.move,
		onChoose: (key) => {
			parts.keepMove(key);
			draw();
		},
		move: () => send('move'),
	});
	const element = h(
		'section',
		{ class: 'composer', 'aria-label': strings.yourComment },
		failed,
		...box.nodes,
		h('div', { class: 'actions' }, comment, move.element, note),
	);

	/** Why something cannot be done now; `undefined` when it can. */
	function obstacle(what: What): string | undefined {
		const length = textarea.value.trim().length;
		if (isSending) {
			return strings.sending;
		}
		if (what === 'comment' && length === 0) {
			return strings.commentEmpty;
		}
		if (length > 0 && length < ticketLimits.shortestComment) {
			return strings.commentTooShort;
		}
		if (length > ticketLimits.longestComment) {
			return strings.commentTooLong;
		}
		return refusal(length > 0 ? head?.canComment : undefined) ?? refusal(what === 'move' ? head?.canTriage : undefined);
	}

	function draw(): void {
		move.show(head?.moves ?? [], textarea.value.trim() !== '');
		enable(comment, obstacle('comment'));
		enable(move.main, obstacle('move'));
		textarea.readOnly = isSending;
		setAttributes(element, { 'aria-busy': String(isSending) });
	}

	function say(text: string): void {
		note.textContent = text;
	}

	function send(what: What): void {
		const reason = obstacle(what);
		if (reason !== undefined) {
			say(reason);
			return;
		}
		const wish = { comment: textarea.value, move: what === 'move' ? move.chosen()?.key : undefined };
		void deliver(() => parts.send(wish), wish);
	}

	async function deliver(work: () => Promise<SendAnswer>, wish: TicketPageSend): Promise<void> {
		isSending = true;
		failed.replaceChildren();
		say(strings.sending);
		draw();
		try {
			tell(await work(), wish);
		} catch (error) {
			failed.replaceChildren(icon('error'), reasonOf(error));
			say(refusal(head?.canComment) ?? refusal(head?.canTriage) ?? '');
		} finally {
			isSending = false;
			draw();
			quotes.splice(0).forEach(quote);
		}
	}

	/** Says how it ended. Only a person sends again, and only what is not there. */
	function tell(answer: SendAnswer, wish: TicketPageSend): void {
		if (answer.isCommentThere && textarea.value === wish.comment) {
			textarea.value = '';
			box.write();
			parts.keep('');
		}
		const isOver = answer.kind === 'done' || answer.kind === 'arrived';
		if (isOver && (answer.text === '' || answer.kind === 'arrived')) {
			say(answer.text === '' ? (wish.comment.trim() === '' ? strings.moved : strings.sent) : answer.text);
			return;
		}
		say('');
		failed.replaceChildren(icon(isOver ? 'warning' : 'error'), h('span', {}, answer.text), ...nextStep(answer, wish));
	}

	function nextStep({ kind, isCommentThere }: SendAnswer, wish: TicketPageSend): readonly Node[] {
		if (kind === 'unclear') {
			const look = h('button', { type: 'button', class: 'secondary' }, strings.lookAgain);
			return [onClick(look, () => void deliver(parts.lookAgain, wish))];
		}
		if (kind !== 'missing') {
			return [];
		}
		const again = h('button', { type: 'button', class: 'secondary' }, strings.sendAgain);
		return [
			onClick(again, () => {
				// What stands in the box now is what is meant; it may have been mended meanwhile.
				const left = { comment: isCommentThere ? '' : textarea.value, move: wish.move };
				void deliver(() => parts.send(left), left);
			}),
		];
	}

	function quote(text: string): void {
		if (isSending) {
			quotes.push(text);
			return;
		}
		box.write();
		const before = textarea.value.trimEnd();
		const quoted = text.replaceAll(/^/gm, '> ');
		textarea.value = `${before === '' ? '' : `${before}\n\n`}${quoted}\n\n`;
		textarea.focus();
		textarea.setSelectionRange(textarea.value.length, textarea.value.length);
		textarea.dispatchEvent(new Event('input'));
	}

	function draftKept(refusal: string | undefined): void {
		if (isSending) {
			// The end of the sending is said there; what is refused then is refused, and said, at the next key.
			return;
		}
		const isNews = refusal !== refusedDraft || (refusal === undefined && !isSaid);
		refusedDraft = refusal;
		if (isNews && textarea.value !== '') {
			isSaid ||= refusal === undefined;
			say(refusal ?? strings.draftSaved);
		}
	}

	function takeUp(draft: string, sent: OpenSend | undefined): void {
		if (isSending) {
			return;
		}
		if (!isTouched && textarea.value !== draft) {
			textarea.value = draft;
			draw();
		}
		if (sent?.answer) {
			tell(sent.answer, sent.send);
		} else if (sent) {
			void deliver(parts.outcome, sent.send);
		}
	}

	textarea.addEventListener('input', () => {
		isTouched = true;
		parts.keep(textarea.value);
		if (refusedDraft === undefined) {
			say(warningOf(head) ?? '');
		}
		draw();
	});
	element.addEventListener('keydown', (event) => {
		if (box.key(event)) {
			return;
		}
		if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
			event.preventDefault();
			send('comment');
		}
	});
	draw();
	return {
		element,
		show(next) {
			head = next;
			const refused = refusal(next.canComment) ?? refusal(next.canTriage);
			const reason = refused ?? (textarea.value === '' ? warningOf(next) : undefined);
			if (reason !== undefined && !isSending) {
				say(reason);
			}
			draw();
		},
		focus: () => textarea.focus(),
		takeUp,
		draftKept,
		quote,
	};
}

function refusal(possibility: Possibility | undefined): string | undefined {
	return possibility?.kind === 'impossible' ? possibility.reason : undefined;
}

function warningOf(head: HeadView | undefined): string | undefined {
	const first = head && [head.canComment, head.canTriage].find((each) => each.kind === 'possible' && each.warning);
	return first?.kind === 'possible' ? first.warning : undefined;
}

/** A button that cannot work stays reachable, so that its reason can be read and heard. */
function enable(button: HTMLButtonElement, reason: string | undefined): void {
	setAttributes(button, { 'aria-disabled': reason === undefined ? undefined : 'true', title: reason });
}
