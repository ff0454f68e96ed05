import { channel } from 'node:diagnostics_channel';
import { console as toInspector, Session, type Profiler, type Runtime } from 'node:inspector';
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { root } from '../../harness/places.ts';
import { plantedIn, type Planted } from './planted.ts';
import type { Moment, Run, Trace } from './trace.ts';

/** What tells a planted statement whom to call. */
const teller = Symbol.for('forgeDesk.walks');

/** Watches what the real code does between an event and its result. */
export interface Tracer {
	/** Notes who is at work, by file, with everybody who asked for it. Does nothing while no walk is under way. */
	readonly mark: (name: Moment['name'], about: string) => void;
	/** Runs one walk. */
	readonly trace: (walk: () => Promise<void>) => Promise<Trace>;
}

/** Call it before the first source is loaded: it plants statements in some of them. */
export function openTracer(planted: readonly Planted[]): Tracer {
	const base = `${pathToFileURL(root).href}/`;
	const session = new Session();
	session.connect();
	let moments: Moment[] | undefined;
	let stack: Runtime.StackTrace | undefined;
	session.on('Runtime.consoleAPICalled', ({ params }) => {
		stack = params.stackTrace;
	});
	session.post('Runtime.enable');
	session.post('Debugger.enable');
	session.post('Debugger.setAsyncCallStackDepth', { maxDepth: 256 });
	session.post('Profiler.enable');

	function mark(name: Moment['name'], about: string): void {
		if (moments) {
			stack = undefined;
			toInspector.log(name);
			moments.push({ name, about, files: filesOf(stack) });
		}
	}

	/** The sources on a stack and on those of whoever asked for it: who awaits, and who left it for later. */
	function filesOf(first: Runtime.StackTrace | undefined): readonly string[] {
		const files = new Set<string>();
		for (let at = first; at; at = at.parent ?? stackBehind(session, at.parentId)) {
			for (const { url } of at.callFrames) {
				const file = sourceOf(url, base);
				if (file !== undefined) {
					files.add(file);
				}
			}
		}
		return [...files];
	}

	registerHooks({
		load(url, context, next) {
			const loaded = next(url, context);
			const plants = planted.filter(({ file }) => `${base}${file}` === url);
			return plants.length === 0
				? loaded
				: { ...loaded, source: plants.reduce(plantedIn, readFileSync(new URL(url), 'utf8')) };
		},
	});
	Reflect.set(globalThis, teller, mark);
	channel('undici:request:create').subscribe(() => mark('request', ''));

	return {
		mark,
		async trace(walk) {
			session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
			covered(session);
			const seen: Moment[] = [];
			moments = seen;
			await walk();
			moments = undefined;
			const runs = covered(session).flatMap(({ url, functions }) => runOf(url, functions, base));
			session.post('Profiler.stopPreciseCoverage');
			return { moments: seen, runs };
		},
	};
}

/** What was called since it was asked last. */
function covered(session: Session): readonly Profiler.ScriptCoverage[] {
	let result: readonly Profiler.ScriptCoverage[] = [];
	session.post('Profiler.takePreciseCoverage', (error, taken) => {
		if (error) {
			throw error;
		}
		result = taken.result;
	});
	return result;
}

/** The functions of one source that were called; its own statements, which run as it is loaded, are none. */
function runOf(url: string, functions: readonly Profiler.FunctionCoverage[], base: string): readonly Run[] {
	const file = sourceOf(url, base);
	return file === undefined
		? []
		: functions.flatMap(({ functionName, ranges: [range] }) =>
				range && range.count > 0 && !(functionName === '' && range.startOffset === 0)
					? [{ file, name: functionName, calls: range.count }]
					: [],
			);
}

function sourceOf(url: string, base: string): string | undefined {
	const file = url.startsWith(base) ? url.slice(base.length) : '';
	return file.startsWith('src/') && !file.startsWith('src/sampleForge/') ? file : undefined;
}

function stackBehind(session: Session, id: Runtime.StackTraceId | undefined): Runtime.StackTrace | undefined {
	let behind: Runtime.StackTrace | undefined;
	if (id) {
		session.post('Debugger.getStackTrace', { stackTraceId: id }, (error, found) => {
			behind = error ? undefined : found.stackTrace;
		});
	}
	return behind;
}
