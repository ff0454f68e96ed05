import diff from '@vscode/codicons/src/icons/diff.svg';
import mail from '@vscode/codicons/src/icons/mail.svg';
import project from '@vscode/codicons/src/icons/project.svg';
import repo from '@vscode/codicons/src/icons/repo.svg';
import type { PersonIcon } from '../../protocol/personView.ts';
import { picture } from '../icons.ts';
import { statusPictures } from '../statusPictures.ts';

const pictures: Readonly<Record<PersonIcon, string>> = {
	...statusPictures,
	mail,
	patch: diff,
	tracker: project,
	list: mail,
	repository: repo,
};

/** The picture of a row; what it says is said in words as well. */
export function rowIcon(name: PersonIcon): HTMLElement {
	return picture(pictures[name], name);
}
