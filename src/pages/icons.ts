import ellipsis from '@vscode/codicons/src/icons/ellipsis.svg';
import comment from '@vscode/codicons/src/icons/comment.svg';
import arrowDown from '@vscode/codicons/src/icons/arrow-down.svg';
import arrowUp from '@vscode/codicons/src/icons/arrow-up.svg';
import chevronDown from '@vscode/codicons/src/icons/chevron-down.svg';
import chevronRight from '@vscode/codicons/src/icons/chevron-right.svg';
import copy from '@vscode/codicons/src/icons/copy.svg';
import diff from '@vscode/codicons/src/icons/diff.svg';
import error from '@vscode/codicons/src/icons/error.svg';
import gitPullRequest from '@vscode/codicons/src/icons/git-pull-request.svg';
import issueReopened from '@vscode/codicons/src/icons/issue-reopened.svg';
import issues from '@vscode/codicons/src/icons/issues.svg';
import linkExternal from '@vscode/codicons/src/icons/link-external.svg';
import mention from '@vscode/codicons/src/icons/mention.svg';
import passFilled from '@vscode/codicons/src/icons/pass-filled.svg';
import person from '@vscode/codicons/src/icons/person.svg';
import playCircle from '@vscode/codicons/src/icons/play-circle.svg';
import question from '@vscode/codicons/src/icons/question.svg';
import references from '@vscode/codicons/src/icons/references.svg';
import tag from '@vscode/codicons/src/icons/tag.svg';
import warning from '@vscode/codicons/src/icons/warning.svg';
import watch from '@vscode/codicons/src/icons/watch.svg';
import checkAll from '@vscode/codicons/src/icons/check-all.svg';
import circleSlash from '@vscode/codicons/src/icons/circle-slash.svg';
import gitMerge from '@vscode/codicons/src/icons/git-merge.svg';
import history from '@vscode/codicons/src/icons/history.svg';
import requestChanges from '@vscode/codicons/src/icons/request-changes.svg';
import type { StatusIcon } from './protocol/patchsetProtocol.ts';
import type { PageIcon } from './protocol/ticketProtocol.ts';
import { h } from './dom.ts';

/** Icons of the pages' own controls. */
type OwnIcon =
	| 'actions'
	| 'copy'
	| 'diff'
	| 'error'
	| 'folded'
	| 'globe'
	| 'more'
	| 'next'
	| 'patchset'
	| 'previous'
	| 'warning';

let sets = 0;

/**
 * Decorative icons, because text says the same. Call it once for all icons of a module: each call computes all styles
 * of the page anew. A rule gives all copies their shape, because SVG elements in each would be half of a large page's
 * memory.
 */
export function icons<Name extends string>(pictures: Readonly<Record<Name, string>>): (name: Name) => HTMLElement {
	sets += 1;
	const set = `icons-${sets}`;
	const sheet = new CSSStyleSheet();
	for (const [name, svg] of Object.entries<string>(pictures)) {
		sheet.insertRule(`.${set}.icon-${name} { ${shapeOf(svg)} }`);
	}
	document.adoptedStyleSheets.push(sheet);
	return (name) => h('span', { class: `icon icon-${name} ${set}`, 'aria-hidden': 'true' });
}

const iconSize = 16;

/** The paths of a picture of one color. */
function shapeOf(svg: string): string {
	const [, width = iconSize, height = iconSize] = (/viewBox="0 0 (\d+) (\d+)"/.exec(svg) ?? []).map(Number);
	const paths = Array.from(svg.matchAll(/ d="([^"]*)"/g), ([, path]) => path);
	const rule = svg.includes('fill-rule="evenodd"') ? 'evenodd' : 'nonzero';
	const size = `width: ${width}px; height: ${height}px; zoom: ${iconSize / Math.max(width, height)};`;
	return `clip-path: path(${rule}, "${paths.join(' ')}"); ${width === iconSize ? '' : size}`;
}

/** Icons of the pages' own controls and of events. */
export const icon = icons<PageIcon | OwnIcon>({
	reported: issues,
	confirmed: issueReopened,
	inProgress: playCircle,
	pending: watch,
	resolved: passFilled,
	unknown: question,
	comment,
	label: tag,
	person,
	mention,
	reference: references,
	actions: ellipsis,
	copy,
	globe: linkExternal,
	more: chevronDown,
	folded: chevronRight,
	diff,
	patchset: gitPullRequest,
	next: arrowDown,
	previous: arrowUp,
	error,
	warning,
});

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
