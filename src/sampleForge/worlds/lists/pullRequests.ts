import type { Context } from '../../shared/area.ts';
import type { ThreadPlan } from './discussions.ts';

/** Letters that ask for a branch to be pulled, as `git request-pull` writes them, with addresses of this very forge. */
export function pullRequests({ git, todo }: Pick<Context['origins'], 'git' | 'todo'>): readonly ThreadPlan[] {
	return [
		{
			list: 'lantern-devel',
			who: 'carol',
			day: 986.2,
			subject: '[GIT PULL] The manual in chapters',
			text: `Hello Alice,\n\nthe chapters are ready to move over. This is too much for patches, so please pull.\nIt is what ${todo}/~alice/lantern/121 asked for.\n\nThe following changes since commit 4b825dc642cb6eb9a060e54bf8d69288fbee4904:\n\n  manual: one voice (2024-07-14 08:00:00 +0000)\n\nare available in the Git repository at:\n\n  ${git}/~carol/lantern-docs master\n\nfor you to fetch changes up to 8f94139338f9404f26296befa88755fc2598c289:\n\n  chapters: an index (2026-11-12 07:40:00 +0000)\n\n----------------------------------------------------------------\nCarol Nakamura (2):\n      chapters: one file for each\n      chapters: an index\n\n index.md    | 12 ++++++++++++\n plugins.md  | 40 ++++++++++++++++++++++++++++++++++++++++\n 2 files changed, 52 insertions(+)`,
			answers: [
				{
					who: 'alice',
					hours: 9,
					to: 0,
					text: 'I would rather keep two repositories and a link. But I will look at it tonight.',
					quotes: true,
				},
			],
		},
	];
}
