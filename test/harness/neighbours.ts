import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Comment controllers of other extensions, as many users have one for pull requests. `idle` has no ranges. `slow`
 * takes a while for each answer, `erratic` for its first ones only.
 */
export type Neighbour = 'idle' | 'slow' | 'erratic';

const variable = 'FORGE_DESK_NEIGHBOURS';

/** For the environment of a window's extension host. */
export function besideNeighbours(...kinds: readonly Neighbour[]): Readonly<Record<string, string>> {
	return { [variable]: kinds.join(' ') };
}

const program = `'use strict';
const { comments, window, StatusBarAlignment } = require('vscode');
const slowMs = 1500;
exports.activate = ({ subscriptions }) => {
	const kinds = (process.env.${variable} ?? '').split(' ').filter((kind) => kind !== '');
	if (kinds.length === 0) {
		return;
	}
	const status = window.createStatusBarItem(StatusBarAlignment.Left, -1000);
	let [asked, answered] = [0, 0];
	const tell = () => { status.text = asked === answered ? 'Neighbours at rest' : 'Neighbours at work'; };
	tell();
	status.show();
	for (const kind of kinds) {
		const controller = comments.createCommentController('neighbour-' + kind, kind);
		subscriptions.push(controller);
		let calls = 0;
		const provider = {
			async provideCommentingRanges() {
				calls += 1;
				const waitMs = kind === 'slow' ? slowMs : kind === 'erratic' && calls % 4 < 3 ? slowMs * 2 - calls * 10 : 0;
				asked += 1;
				tell();
				await new Promise((resolve) => setTimeout(resolve, waitMs));
				answered += 1;
				tell();
				return [];
			},
		};
		if (kind !== 'idle') {
			controller.commentingRangeProvider = provider;
		}
	}
};
`;

/** Adds the extension to a folder of built-in extensions. */
export function writeNeighbours(folder: string): void {
	const own = join(folder, 'neighbours');
	mkdirSync(own, { recursive: true });
	writeFileSync(
		join(own, 'package.json'),
		JSON.stringify({
			name: 'neighbours',
			publisher: 'test',
			version: '1.0.0',
			engines: { vscode: '*' },
			activationEvents: ['*'],
			main: './extension.js',
			extensionKind: ['workspace'],
		}),
	);
	writeFileSync(join(own, 'extension.js'), program);
}
