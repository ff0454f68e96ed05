import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildPackage } from './buildPackage.ts';
import type { Children, Ran, RunOptions } from './children.ts';
import { hasAllWords } from './matching.ts';
import { root } from './places.ts';
import { judge, readReport, shownFailures } from './report.ts';
import type { Stage, StageContext } from './stages.ts';
import { filesOf, freshReport, type RingOptions } from './testRing.ts';

const toolLimitMs = 300_000;
const installLimitMs = 900_000;

/** A stage of commands that have to end with 0. */
export function toolStage(name: string, commands: readonly string[]): Stage {
	return {
		name,
		needs: [],
		run: ({ children, inSlot }) =>
			inSlot(async () => {
				for (const command of commands) {
					const [program = '', ...args] = command.split(' ');
					const { code, output } = await children.run(program, args, { limitMs: toolLimitMs });
					if (code !== 0) {
						return { problem: `\`${command}\` ended with ${code ?? 'no answer'}`, output };
					}
				}
				return {};
			}),
	};
}

/** Installs missing programs of tests and measurements. */
export function installPrograms(children: Children, options: Pick<RunOptions, 'env' | 'live'>): Promise<Ran> {
	const script = join(import.meta.dirname, 'programsProcess.ts');
	return children.run(process.execPath, [script], { ...options, limitMs: installLimitMs });
}

export function programsStage({ env }: Pick<RingOptions, 'env'>): Stage {
	return {
		name: 'programs',
		needs: [],
		run: ({ children, inSlot }) =>
			inSlot(async () => {
				const { code, output } = await installPrograms(children, { env });
				return code === 0 ? {} : { problem: 'a program is missing', output };
			}),
	};
}

/** Tests run against the packaged build. */
export const buildStage: Stage = {
	name: 'build',
	needs: [],
	run: ({ children, inSlot }) =>
		inSlot(async () => {
			const packaged = await buildPackage(children, { live: false });
			const { code, output } =
				packaged.code === 0
					? await children.run('node', ['esbuild.mjs', '--tests'], { limitMs: toolLimitMs })
					: packaged;
			return code === 0 ? {} : { problem: 'the build failed', output };
		}),
};

export function editorStage(
	options: RingOptions,
	{ dialects, limitMs }: { readonly dialects: readonly string[]; readonly limitMs: number },
): Stage {
	const run = async ({ children }: StageContext): ReturnType<Stage['run']> => {
		const report = freshReport('editor');
		const env = {
			...options.env,
			FORGE_DESK_TEST_REPORT: report,
			FORGE_DESK_TEST_WORDS: JSON.stringify(options.words),
		};
		const script = join(import.meta.dirname, 'editorProcess.ts');
		const { code, output } = await children.run(process.execPath, [script, String(limitMs), ...dialects], {
			env,
			limitMs: limitMs * dialects.length + toolLimitMs,
		});
		const tally = readReport(report);
		const outcome = judge(tally, code === 0);
		return { ...outcome, output: [...shownFailures(tally), output].join('\n') };
	};
	return { name: 'editor', needs: ['programs', 'build'], run: (context) => context.inSlot(() => run(context)) };
}

/**
 * Files of the extension host's tests with a possible match for all words. They load only in an editor, so the titles
 * come from their sources.
 */
export function editorFilesWith(words: readonly string[]): readonly string[] {
	return filesOf('editor').filter((file) => {
		const source = readFileSync(join(root, file), 'utf8');
		const titles = [...source.matchAll(/(?:suite|test|chainedSuite)\(\s*(['"`])(.*?)\1/gs)].map((match) => match[2]);
		return hasAllWords([file, ...titles].join(' '), words);
	});
}
