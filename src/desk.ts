// The bundle that holds the views and what they know; loaded on the first use of any of them.
export { openDesk } from './app/openDesk.ts';
