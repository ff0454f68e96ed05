import diffMultiple from '@vscode/codicons/src/icons/diff-multiple.svg';
import link from '@vscode/codicons/src/icons/link.svg';
import repo from '@vscode/codicons/src/icons/repo.svg';
import rootFolder from '@vscode/codicons/src/icons/root-folder.svg';
import verified from '@vscode/codicons/src/icons/verified-filled.svg';
import { picture } from '../icons.ts';

const pictures = { changes: diffMultiple, link, repository: repo, browse: rootFolder, verified } as const;

/** A picture beside words: it is not read aloud, because the words say the same. */
export function commitIcon(name: keyof typeof pictures): HTMLElement {
	return picture(pictures[name], name);
}
