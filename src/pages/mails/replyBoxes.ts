import { h, pushButton } from '../dom.ts';
import type { ReplyView } from '../protocol/mailsProtocol.ts';
import { pilled } from '../texts.ts';
import { writingBox, type WritingBox } from '../writingBox.ts';
import type { MailsPage } from './mailsPage.ts';

interface ReplyBox {
	readonly element: HTMLElement;
	readonly box: WritingBox;
	readonly head: HTMLElement;
	/** The host had a draft for it. */
	isDraft: boolean;
}

/**
 * Boxes for replies: one below each mail on request, built then, and one for `atEnd` that is always open. `place` finds
 * the element that takes the box of a mail, and `label` names its person.
 */
export function replyBoxes(page: MailsPage, place: (mail: number) => HTMLElement | undefined) {
	const { strings, link, done } = page;
	const boxes = new Map<number, ReplyBox>();
	let atEnd: number | undefined;
	const end = h('section', { class: 'reply-end', 'aria-label': strings.yourReply, hidden: true });
	/** The latest drafts; their mails may arrive later. */
	let drafts: readonly ReplyView[] = [];

	function make(mail: number): ReplyBox {
		const send = (): void => done(sendNow());
		const sendNow = async (): Promise<void> => {
			if (await box.kept()) {
				await link.ask('sendReply', mail);
			}
		};
		const act = async (name: 'editReply' | 'discardReply'): Promise<void> => {
			if (await box.kept()) {
				await link.ask(name, mail);
				if (made.isDraft || mail === atEnd) {
					return;
				}
				// Without a draft the host has nothing to announce.
				close(mail);
			}
		};
		const box = writingBox(
			strings,
			strings.yourReply,
			mail === atEnd ? strings.replyAtEnd : strings.yourReply,
			(text) => link.ask('keepReply', { mail, text }),
			send,
		);
		const head = h('p', { class: 'receivers quiet' });
		const element = h(
			'div',
			{ class: 'reply-box' },
			head,
			box.failed,
			box.textarea,
			h(
				'div',
				{ class: 'actions' },
				pushButton('primary', send, strings.sendReply),
				pushButton('secondary', () => done(act('editReply')), strings.editReply),
				pushButton('secondary', () => done(act('discardReply')), strings.discardReply),
				box.note,
			),
		);
		element.addEventListener('keydown', (event) => {
			if (event.key === 'Escape' && mail !== atEnd && !made.isDraft && !box.isDirty()) {
				close(mail);
				place(mail)?.querySelector<HTMLElement>('button.reply')?.focus();
			}
		});
		const made: ReplyBox = { element, box, head, isDraft: false };
		if (mail === atEnd) {
			box.textarea.addEventListener('focus', () => {
				if (!made.isDraft && !box.isDirty() && head.textContent === '') {
					done(begin(made, mail, false));
				}
			});
		}
		return made;
	}

	function showHead({ head }: ReplyBox, lines: readonly string[]): void {
		head.replaceChildren(...lines.flatMap((line, at) => [...(at === 0 ? [] : [h('br')]), pilled(line)]));
	}

	function close(mail: number): void {
		const known = boxes.get(mail);
		known?.box.dispose();
		known?.element.remove();
		boxes.delete(mail);
	}

	/** The box of a mail at its place, new or known. */
	function boxOf(mail: number): ReplyBox | undefined {
		const known = boxes.get(mail);
		const parent = mail === atEnd ? end : place(mail);
		if (!parent) {
			return known;
		}
		const shown = known ?? make(mail);
		boxes.set(mail, shown);
		if (shown.element.parentElement !== parent) {
			parent.append(shown.element);
		}
		return shown;
	}

	function showDrafts(): void {
		const present = new Set(drafts.map(({ mail }) => mail));
		for (const { mail, text, head } of drafts) {
			const shown = boxOf(mail);
			if (shown) {
				shown.isDraft = true;
				shown.box.show(text);
				showHead(shown, head);
			}
		}
		for (const [mail, shown] of boxes) {
			if (shown.isDraft && !present.has(mail) && !shown.box.isDirty()) {
				close(mail);
			}
		}
		if (atEnd !== undefined) {
			boxOf(atEnd);
		}
	}

	async function begin(shown: ReplyBox, mail: number, isQuoting: boolean): Promise<void> {
		const begun = await link.ask('openReply', { mail, isQuoting });
		if (!begun) {
			close(mail);
			showDrafts();
			return;
		}
		showHead(shown, begun.head);
		// Typing has priority over the quote, and so has a draft that arrived meanwhile.
		if (isQuoting && !shown.isDraft && !shown.box.isDirty()) {
			shown.box.begin(begun.text);
			shown.box.focus();
		}
	}

	async function open(mail: number): Promise<void> {
		const shown = boxOf(mail);
		if (!shown) {
			return;
		}
		const isNew = !shown.isDraft && !shown.box.isDirty() && shown.box.textarea.value === '';
		shown.box.focus();
		shown.element.scrollIntoView({ block: 'nearest' });
		if (isNew && mail !== atEnd) {
			await begin(shown, mail, true).catch((error: unknown) => {
				close(mail);
				throw error;
			});
			shown.element.scrollIntoView({ block: 'nearest' });
		}
	}

	return {
		/** The place of the box at the end. */
		end,
		/** Opens the box of a mail with its quote, and takes the keyboard. */
		open: (mail: number) => done(open(mail)),
		/** Sets the mail that the box at the end answers. */
		answerAtEnd(mail: number) {
			if (atEnd !== mail) {
				atEnd = mail;
				end.hidden = false;
				showDrafts();
			}
		},
		/** All drafts of replies to mails of this page. */
		show(next: readonly ReplyView[]) {
			drafts = next;
			showDrafts();
		},
		/** Call after mails came or went. */
		settle: showDrafts,
	};
}
