import commentDiscussion from '@vscode/codicons/src/icons/comment-discussion.svg';
import diffMultiple from '@vscode/codicons/src/icons/diff-multiple.svg';
import lightbulb from '@vscode/codicons/src/icons/lightbulb.svg';
import save from '@vscode/codicons/src/icons/save.svg';
import terminal from '@vscode/codicons/src/icons/terminal.svg';
import type { StatusIcon } from '../../protocol/patchsetView.ts';
import { picture } from '../icons.ts';
import { statusPictures } from '../statusPictures.ts';

const pictures: Readonly<Record<StatusIcon | 'thread' | 'diffs' | 'suggestion' | 'save' | 'command', string>> = {
	...statusPictures,
	thread: commentDiscussion,
	diffs: diffMultiple,
	suggestion: lightbulb,
	save,
	command: terminal,
};

/** A picture beside words: it is not read aloud, because the words say the same. */
export function patchsetIcon(name: keyof typeof pictures): HTMLElement {
	return picture(pictures[name], name);
}
