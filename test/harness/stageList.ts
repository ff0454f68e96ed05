import { commandsStage } from './commandStage.ts';
import { packageFolders, packageNameIn } from './packageFolders.ts';
import type { Stage } from './stages.ts';
import { filesOf, type Ring, type RingOptions, ringStage } from './testRing.ts';
import { buildStage, editorStage, programsStage, toolStage } from './toolStages.ts';

export interface StageOptions extends RingOptions {
	/** Sample forges of the extension host, each in a run of its own. */
	readonly editorDialects: readonly string[];
}

const minuteMs = 60_000;
const editorLimitMs = 15 * minuteMs;
/** `npm run prove -- soak` alone takes half an hour. */
const soakLimitMs = 60 * minuteMs;

const unit: Ring = { name: 'unit', needs: [], timeoutMs: 10_000 };
const contract: Ring = { name: 'contract', needs: [], timeoutMs: 30_000 };
// Makes real repositories and mails.
const sampleForge: Ring = { name: 'sampleForge', needs: ['programs'], timeoutMs: 30_000 };
const bundle: Ring = { name: 'bundle', needs: ['build'], timeoutMs: 30_000 };
const page: Ring = { name: 'page', needs: ['programs'], timeoutMs: 2 * minuteMs, isTold: true };
const ui: Ring = { name: 'ui', needs: ['programs', 'build'], timeoutMs: 2 * minuteMs, isTold: true };

function typeCheck(name: string): string {
	return `tsc --incremental --tsBuildInfoFile test-results/${name}.tsbuildinfo`;
}

/** The stages that words filter. */
export const ringNames: readonly string[] = ['unit', 'contract', 'sampleForge', 'bundle', 'page', 'editor', 'ui'];

/** Stages without an editor and a browser. */
export const quickStageNames: readonly string[] = ['types', 'lint', 'format', 'knip', 'unit', 'contract'];

/** Rooms without input and output. */
export const pureRooms: readonly string[] =
	'base @forge-desk/base sourcehut/port pages/protocol engine/search engine/text patchmail/git patchmail/mail patchmail/patch patchmail/review patchmail/series'.split(
		' ',
	);

export function pureFiles(rooms = pureRooms): readonly string[] {
	const folders = rooms.map((room) => {
		const name = packageNameIn(room);
		const folder = packageFolders.get(name);
		return folder === undefined ? `test/unit/${room}/` : `${folder}/test${room.slice(name.length)}/`;
	});
	return filesOf('unit').filter((file) => folders.some((folder) => file.startsWith(folder)));
}

/**
 * All stages, in the order in which they get slots: the fastest feedback first, and many short jobs last, because they fill
 * gaps.
 */
export function allStages(options: StageOptions): readonly Stage[] {
	return [
		programsStage(options),
		buildStage,
		toolStage('types', [typeCheck('types'), `${typeCheck('types-of-pages')} -p src/pages`]),
		toolStage('lint', ['oxlint --deny-warnings src packages test']),
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
		commandsStage(options.env['FORGE_DESK_COUNTS'] === 'full' ? 'whole' : 'smallest', options.env['FORGE_DESK_PART']),
	];
}
