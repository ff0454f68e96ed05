import commentDiscussion from '@vscode/codicons/src/icons/comment-discussion.svg';
import commentDraft from '@vscode/codicons/src/icons/comment-draft.svg';
import diffMultiple from '@vscode/codicons/src/icons/diff-multiple.svg';
import lightbulb from '@vscode/codicons/src/icons/lightbulb.svg';
import save from '@vscode/codicons/src/icons/save.svg';
import circleSlash from '@vscode/codicons/src/icons/circle-slash.svg';
import errorPicture from '@vscode/codicons/src/icons/error.svg';
import passFilled from '@vscode/codicons/src/icons/pass-filled.svg';
import question from '@vscode/codicons/src/icons/question.svg';
import sync from '@vscode/codicons/src/icons/sync.svg';
import watch from '@vscode/codicons/src/icons/watch.svg';
import terminal from '@vscode/codicons/src/icons/terminal.svg';
import type { StatusIcon, ToolIcon } from '../protocol/patchsetView.ts';
import { picture } from '../icons.ts';
import { statusPictures } from '../statusPictures.ts';

const pictures: Readonly<
	Record<StatusIcon | 'thread' | 'diffs' | 'review' | 'suggestion' | 'save' | 'command', string>
> = {
	...statusPictures,
	thread: commentDiscussion,
	diffs: diffMultiple,
	review: commentDraft,
	suggestion: lightbulb,
	save,
	command: terminal,
};

/** Decorative icon, because text says the same. */
export function patchsetIcon(name: keyof typeof pictures): HTMLElement {
	return picture(pictures[name], name);
}

const toolPictures: Readonly<Record<ToolIcon, string>> = {
	pending: sync,
	waiting: watch,
	success: passFilled,
	failed: errorPicture,
	cancelled: circleSlash,
	unknownState: question,
};

/** Decorative icon, because text says the same. */
export function toolPicture(name: ToolIcon): HTMLElement {
	return picture(toolPictures[name], name);
}
