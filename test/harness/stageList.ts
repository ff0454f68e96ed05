import { commandsStage } from './commandStage.ts';
import type { Stage } from './stages.ts';
import { filesOf, type Ring, type RingOptions, ringStage } from './testRing.ts';
import { buildStage, editorStage, programsStage, toolStage } from './toolStages.ts';

/** What the commands choose about their stages. */
export interface StageOptions extends RingOptions {
	/** The sample forges that the extension host meets, each in a run of its own. */
	readonly editorDialects: readonly string[];
}

const minuteMs = 60_000;
const editorLimitMs = 15 * minuteMs;
/** `npm run prove -- soak` alone takes half an hour. */
const soakLimitMs = 60 * minuteMs;

/** The rings that run under Node. */
const unit: Ring = { name: 'unit', needs: [], timeoutMs: 10_000 };
const contract: Ring = { name: 'contract', needs: [], timeoutMs: 30_000 };
// The sample forge's own tests make real repositories and mails.
const sampleForge: Ring = { name: 'sampleForge', needs: ['programs'], timeoutMs: 30_000 };
const bundle: Ring = { name: 'bundle', needs: ['build'], timeoutMs: 30_000 };
const page: Ring = { name: 'page', needs: ['programs'], timeoutMs: 2 * minuteMs, isTold: true };
const ui: Ring = { name: 'ui', needs: ['programs', 'build'], timeoutMs: 2 * minuteMs, isTold: true };

/** What a type check found out is kept, so that the next one looks at what has changed alone. */
function typeCheck(name: string): string {
	return `tsc --incremental --tsBuildInfoFile test-results/${name}.tsbuildinfo`;
}

/** The stages whose tests can be chosen by words. */
export const ringNames: readonly string[] = ['unit', 'contract', 'sampleForge', 'bundle', 'page', 'editor', 'ui'];

/** What can be said without an editor and without a browser. */
export const quickStageNames: readonly string[] = ['types', 'lint', 'format', 'knip', 'unit', 'contract'];

/** Rooms that reach nothing outside of them: what they are given is all that they know. */
export const pureRooms: readonly string[] = [
	'base',
	'forge',
	'git',
	'mail',
	'patch',
	'protocol',
	'review',
	'search',
	'series',
	'text',
];

/** The unit tests of the pure rooms, or of one of them. */
export function pureFiles(rooms = pureRooms): readonly string[] {
	return filesOf('unit').filter((file) => rooms.some((room) => file.startsWith(`test/unit/${room}/`)));
}

/**
 * All stages, in the order in which they get room. What tells most in the least time goes first, and what consists of
 * many short works last, because it fills what the others leave.
 */
export function allStages(options: StageOptions): readonly Stage[] {
	return [
		programsStage(options),
		buildStage,
		toolStage('types', [typeCheck('types'), `${typeCheck('types-of-pages')} -p src/webview`]),
		toolStage('lint', ['oxlint --deny-warnings src test']),
		toolStage('format', ['oxfmt --check']),
		toolStage('knip', ['knip', 'knip --production --include files,exports,types --config test/house/knip.json']),
		ringStage(unit, options),
		ringStage(contract, options),
		ringStage(page, options),
		ringStage(ui, options),
		editorStage(options, {
			dialects: options.editorDialects,
			limitMs: options.env['FORGE_DESK_STEERED'] === undefined ? editorLimitMs : soakLimitMs,
		}),
		ringStage(sampleForge, options),
		ringStage(bundle, options),
		commandsStage(options.env['FORGE_DESK_COUNTS'] === 'full' ? 'whole' : 'smallest'),
	];
}
