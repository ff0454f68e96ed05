import { ticketLimits } from 'sourcehut/port/ticketLimits.ts';
import type {
	OpenSend,
	SendAnswer,
	TicketPageSend,
	TicketPageStrings,
	HeadView,
	Possibility,
	MoveChoice,
} from '../protocol/ticketProtocol.ts';
import { h, onClick, setAttributes, pushButton } from '../dom.ts';
import { icon } from '../icons.ts';
import { menu } from '../menu.ts';
import { reasonOf } from '../voice.ts';
import { textBox } from './textBox.ts';
import type { TicketPage } from './ticketPage.ts';

type What = 'comment' | 'move';

interface ComposerActions {
	/** Stores the draft; called on each change. */
	readonly keep: (draft: string) => void;
	/** Stores the key of the chosen status change. */
	readonly keepMove: (key: string) => void;
	/** Hands the draft over for a delivery. Resolves after the page shows the result. Rejects with a sentence. */
	readonly deliver: (text: string, work: () => Promise<SendAnswer>) => Promise<SendAnswer>;
}

/** Keeps the text until the forge has it; only a send clears the box. `startMove`: key of the last chosen status change. */
export function composer(
	page: TicketPage,
	startDraft: string,
	startMove: string | undefined,
	actions: ComposerActions,
) {
	const { strings, link } = page;
	let head: HeadView | undefined;
	let isSending = false;
	let isSaid = false;
	let isTouched = false;
	let refusedDraft: string | undefined;
	/** The shown result of a send. */
	let said: string | undefined;
	/** Quotes requested during a send. */
	const quotes: string[] = [];

	const box = textBox(page, 'comment', strings.yourComment, startDraft, {
		rows: '1',
		placeholder: strings.commentPlaceholder,
		'aria-describedby': 'composer-note',
	});
	const { textarea } = box;
	const failed = h('div', { class: 'failure', role: 'alert' });
	const note = h('span', { id: 'composer-note', class: 'quiet note', role: 'status' }, strings.sendKeys);
	const comment = pushButton('primary', () => void send('comment'), strings.comment);
	const move = moveButton(
		strings,
		startMove,
		(key) => {
			actions.keepMove(key);
			draw();
		},
		() => void send('move'),
	);
	const element = h(
		'section',
		{ class: 'composer', 'aria-label': strings.yourComment },
		failed,
		...box.nodes,
		h('div', { class: 'actions' }, comment, move.element, note),
	);

	/** Why an action is impossible; `undefined` when possible. */
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

	async function send(what: What): Promise<void> {
		const chosen = what === 'move' ? move.chosen() : undefined;
		if (obstacle(what) === undefined && chosen?.asksOriginal === true && !(await addOriginal())) {
			return;
		}
		// The reference may have made the comment too long.
		const reason = obstacle(what);
		if (reason !== undefined) {
			say(reason);
			return;
		}
		const wish = { comment: textarea.value, move: chosen?.key };
		await deliver(() => sendNow(wish), wish);
	}

	/** Adds a reference to the original of a duplicate. False if the user closed the question. */
	async function addOriginal(): Promise<boolean> {
		let text: string | undefined;
		isSending = true;
		draw();
		try {
			text = await link.ask('original', textarea.value);
		} catch (error) {
			failed.replaceChildren(icon('error'), reasonOf(error));
		}
		isSending = false;
		if (text === undefined) {
			draw();
			quotes.splice(0).forEach(quote);
		} else if (text !== textarea.value) {
			box.write();
			textarea.value = text;
			actions.keep(text);
		}
		return text !== undefined;
	}

	const sendNow = (wish: TicketPageSend): Promise<SendAnswer> =>
		actions.deliver(wish.comment, () => link.ask('send', wish));
	const lookAgain = (): Promise<SendAnswer> => actions.deliver(textarea.value, () => link.ask('lookAgain', undefined));

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

	/** Shows the result. Only the user can resend, and only the missing parts. */
	function tell(answer: SendAnswer, wish: TicketPageSend): void {
		if (answer.isCommentThere && textarea.value === wish.comment) {
			textarea.value = '';
			box.write();
			actions.keep('');
		}
		if (answer.kind === 'queued') {
			return say(answer.text);
		}
		const isOver = answer.kind === 'done' || answer.kind === 'arrived';
		if (isOver && (answer.text === '' || answer.kind === 'arrived')) {
			said = answer.text === '' ? (wish.comment.trim() === '' ? strings.moved : strings.sent) : answer.text;
			say(said);
			return;
		}
		say('');
		failed.replaceChildren(icon(isOver ? 'warning' : 'error'), h('span', {}, answer.text), ...nextStep(answer, wish));
	}

	function nextStep({ kind, isCommentThere }: SendAnswer, wish: TicketPageSend): readonly Node[] {
		if (kind === 'unclear') {
			const look = h('button', { type: 'button', class: 'secondary' }, strings.lookAgain);
			return [onClick(look, () => void deliver(lookAgain, wish))];
		}
		if (kind !== 'missing') {
			return [];
		}
		const again = h('button', { type: 'button', class: 'secondary' }, strings.sendAgain);
		return [
			onClick(again, () => {
				// The user may have corrected the text meanwhile.
				const left = { comment: isCommentThere ? '' : textarea.value, move: wish.move };
				void deliver(() => sendNow(left), left);
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
			// The send's result has priority; the next key reports the failure again.
			return;
		}
		// A saved draft replaces its own failure only: the reason for a refused key is still needed.
		const isFree = note.textContent === '' || note.textContent === refusedDraft;
		const isNews = refusal === undefined ? isFree && (refusedDraft !== undefined || !isSaid) : refusal !== refusedDraft;
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
			void deliver(() => link.ask('outcome', undefined), sent.send);
		}
	}

	textarea.addEventListener('input', () => {
		isTouched = true;
		actions.keep(textarea.value);
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
			void send('comment');
		}
	});
	draw();
	return {
		element,
		show(next: HeadView) {
			const isChanged = head !== undefined && lookOf(next) !== lookOf(head);
			head = next;
			if (isChanged && !isSending && note.textContent === said) {
				say(strings.sendKeys);
			}
			const refused = refusal(next.canComment) ?? refusal(next.canTriage);
			const reason = refused ?? (textarea.value === '' ? warningOf(next) : undefined);
			if (reason !== undefined && !isSending) {
				say(reason);
			}
			draw();
		},
		focus: () => textarea.focus(),
		/** Restores the host's state: its draft unless the user typed since, and an unfinished send. */
		takeUp,
		/** Announces once that the draft is saved, or why not, while the failure lasts. */
		draftKept,
		/** Inserts a text as a quote. */
		quote,
	};
}

/** Equal until someone changes the ticket. */
function lookOf({ title, status, labels, assignees, descriptionHtml }: HeadView): string {
	return JSON.stringify([title, status, labels, assignees, descriptionHtml]);
}

function refusal(possibility: Possibility | undefined): string | undefined {
	return possibility?.kind === 'impossible' ? possibility.reason : undefined;
}

function warningOf(head: HeadView | undefined): string | undefined {
	const first = head && [head.canComment, head.canTriage].find((each) => each.kind === 'possible' && each.warning);
	return first?.kind === 'possible' ? first.warning : undefined;
}

/** A disabled button stays focusable, so that its reason remains accessible. */
function enable(button: HTMLButtonElement, reason: string | undefined): void {
	setAttributes(button, { 'aria-disabled': reason === undefined ? undefined : 'true', title: reason });
}

/** Remembers the choice even while it is not on offer. `start`: key of the last chosen status change. */
function moveButton(
	strings: TicketPageStrings,
	start: string | undefined,
	onChoose: (key: string) => void,
	move: () => void,
) {
	const main = pushButton({ class: 'secondary', 'aria-describedby': 'composer-note' }, move);
	const choice = h(
		'button',
		{ type: 'button', class: 'secondary choice', title: strings.chooseMove, 'aria-label': strings.chooseMove },
		icon('more'),
	);
	const { element, show } = menu(choice, strings.chooseMove, [main]);
	let offered: readonly MoveChoice[] = [];
	let key = start;
	let shown = '';
	const chosen = (): MoveChoice | undefined => offered.find((each) => each.key === key) ?? offered[0];

	return {
		element,
		main,
		/** The current status change; `undefined` when none is allowed. */
		chosen,
		show(moves: readonly MoveChoice[], hasComment: boolean) {
			offered = moves;
			const now = chosen();
			element.hidden = now === undefined;
			choice.hidden = moves.length < 2;
			main.textContent = (hasComment ? now?.commentAndMove : now?.move) ?? '';
			const said = JSON.stringify([moves, now?.key]);
			if (said !== shown) {
				shown = said;
				show(
					moves.map((each) => ({
						text: each.text,
						isChecked: each === now,
						run: () => {
							key = each.key;
							onChoose(each.key);
							main.focus();
						},
					})),
				);
			}
		},
	};
}
