/** Log output channel. Never pass it tokens, request bodies or responses. */
export interface Log {
	info(message: string): void;
	warn(message: string): void;
	error(message: string): void;
}
