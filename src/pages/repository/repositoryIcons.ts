import bookmark from '@vscode/codicons/src/icons/bookmark.svg';
import gitBranch from '@vscode/codicons/src/icons/git-branch.svg';
import gitCommit from '@vscode/codicons/src/icons/git-commit.svg';
import gitCompare from '@vscode/codicons/src/icons/git-compare.svg';
import goToFile from '@vscode/codicons/src/icons/go-to-file.svg';
import repoClone from '@vscode/codicons/src/icons/repo-clone.svg';
import rootFolder from '@vscode/codicons/src/icons/root-folder.svg';
import tag from '@vscode/codicons/src/icons/tag.svg';
import { picture } from '../icons.ts';

const pictures = {
	branch: gitBranch,
	tag,
	other: bookmark,
	commit: gitCommit,
	mount: rootFolder,
	goToFile,
	clone: repoClone,
	compare: gitCompare,
} as const;

/** Decorative icon, because text says the same. */
export function repositoryIcon(name: keyof typeof pictures): HTMLElement {
	return picture(pictures[name], name);
}
