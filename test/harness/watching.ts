/** How the browser of a test is watched: in a window, or afterwards in a trace. */
export type Watching = 'visible' | 'trace';

/** In a window wherever there is a display for it. FORGE_DESK_WATCH decides by hand, and tells the tests. */
export function howToWatch(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): Watching {
	const asked = env['FORGE_DESK_WATCH'];
	if (asked === 'visible' || asked === 'trace') {
		return asked;
	}
	const hasDisplay = platform !== 'linux' || (env['DISPLAY'] ?? env['WAYLAND_DISPLAY'] ?? '') !== '';
	return hasDisplay ? 'visible' : 'trace';
}
