import type { MarkdownIt, StateCore, Token } from 'markdown-it';
import { escapeHtml } from '../../base/escapeHtml.ts';
import { taskBoxToken } from './tokens.ts';

/** Accessible names of task boxes. */
export interface TaskWords {
	readonly taskDone: string;
	readonly taskOpen: string;
}

/** Start of a task: its box and a blank. */
const box = /^\[([ xX\u00A0])\](?=[ \u00A0])/;

/** Turns `[ ]` and `[x]` at the start of list items into boxes, in one pass over the text. */
export function taskLists(md: MarkdownIt, words: TaskWords): void {
	md.core.ruler.after('inline', 'task_lists', findTasks);
	md.renderer.rules['task_box'] = (tokens, at) => taskBox(tokens[at]?.info === 'done', words);
}

function findTasks({ tokens }: StateCore): void {
	for (const [at, token] of tokens.entries()) {
		if (token.type === 'list_item_open' && tokens[at + 1]?.type === 'paragraph_open') {
			markTask(token, tokens[at + 2]);
		}
	}
}

/** Replaces the box at the start of an item's first paragraph by a token. */
function markTask(item: Token, paragraph: Token | undefined): void {
	const first = paragraph?.children?.[0];
	const found = first?.type === 'text' ? box.exec(first.content) : null;
	if (!first || !found) {
		return;
	}
	const [written, sign] = found;
	first.content = first.content.slice(written.length);
	paragraph.children?.unshift(taskBoxToken(sign === 'x' || sign === 'X'));
	item.attrs = [['class', 'task-list-item']];
}

/** An image with a label, not a control: nobody can tick it here. */
function taskBox(isDone: boolean, { taskDone, taskOpen }: TaskWords): string {
	const word = escapeHtml(isDone ? taskDone : taskOpen);
	return `<span class="task-box${isDone ? ' done' : ''}" role="img" aria-label="${word}"></span>`;
}
