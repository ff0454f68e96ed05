export type Watching = 'visible' | 'trace';

/** Shows a window if there is a display, else records a trace. FORGE_DESK_WATCH overrides. */
export function howToWatch(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): Watching {
	const asked = env['FORGE_DESK_WATCH'];
	if (asked === 'visible' || asked === 'trace') {
		return asked;
	}
	const hasDisplay = platform !== 'linux' || (env['DISPLAY'] ?? env['WAYLAND_DISPLAY'] ?? '') !== '';
	return hasDisplay ? 'visible' : 'trace';
}
