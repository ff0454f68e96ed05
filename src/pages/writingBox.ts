import { h } from './dom.ts';
import { draftKeeper } from './draftKeeper.ts';
import { icon } from './icons.ts';
import { reasonOf } from './voice.ts';

/** A text box whose host keeps each text as a draft; `keep` resolves to a refusal. `send`: for Ctrl+Enter. */
export function writingBox(
	strings: { readonly draftKept: string; readonly sendKeys: string },
	label: string,
	placeholder: string,
	keep: (text: string) => Promise<string | undefined>,
	send: () => void,
) {
	const textarea = h('textarea', { rows: '1', 'aria-label': label, placeholder, spellcheck: 'true' });
	const note = h('span', { class: 'quiet note', role: 'status' }, strings.sendKeys);
	const failed = h('div', { class: 'failure', role: 'alert' });
	/** The last text that the host has or is about to have. */
	let known = '';
	/** Texts on their way to the host. */
	let underWay: Promise<unknown> = Promise.resolve();
	let waiting = 0;
	let isKept = true;

	async function give(text: string): Promise<void> {
		waiting += 1;
		known = text;
		const refusal = await keep(text).catch(reasonOf);
		waiting -= 1;
		isKept = refusal === undefined;
		if (refusal === undefined) {
			failed.replaceChildren();
			note.textContent = text.trim() === '' ? strings.sendKeys : strings.draftKept;
		} else {
			failed.replaceChildren(icon('error'), refusal);
		}
	}

	const keeper = draftKeeper((text) => {
		underWay = give(text);
	});
	textarea.addEventListener('input', () => keeper.typed(textarea.value));
	textarea.addEventListener('keydown', (event) => {
		if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
			event.preventDefault();
			send();
		}
	});
	const isDirty = (): boolean => waiting > 0 || !isKept || textarea.value !== known;
	return {
		textarea,
		note,
		failed,
		/** True while the host lacks the typed text. */
		isDirty,
		/** A text of the host. The text that someone types here has priority. */
		show(text: string) {
			if (!isDirty() && textarea.value !== text) {
				known = text;
				textarea.value = text;
			}
		},
		/** Begins with a text that is no draft yet. */
		begin(text: string) {
			known = text;
			textarea.value = text;
		},
		/** Resolves when the host has the text; false if it could not keep it. */
		async kept() {
			keeper.flush();
			await underWay;
			return isKept;
		},
		/** Puts the cursor behind the text. */
		focus() {
			textarea.focus();
			textarea.setSelectionRange(textarea.value.length, textarea.value.length);
			textarea.scrollTop = textarea.scrollHeight;
		},
		dispose: () => keeper.dispose(),
	};
}

export type WritingBox = ReturnType<typeof writingBox>;
