import checkAll from '@vscode/codicons/src/icons/check-all.svg';
import circleSlash from '@vscode/codicons/src/icons/circle-slash.svg';
import gitMerge from '@vscode/codicons/src/icons/git-merge.svg';
import gitPullRequest from '@vscode/codicons/src/icons/git-pull-request.svg';
import history from '@vscode/codicons/src/icons/history.svg';
import question from '@vscode/codicons/src/icons/question.svg';
import requestChanges from '@vscode/codicons/src/icons/request-changes.svg';
import type { StatusIcon } from './protocol/patchsetProtocol.ts';

/** Icons of patchset statuses. */
export const statusPictures: Readonly<Record<StatusIcon, string>> = {
	proposed: gitPullRequest,
	needsRevision: requestChanges,
	approved: checkAll,
	applied: gitMerge,
	rejected: circleSlash,
	superseded: history,
	unknownStatus: question,
};
