import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type PictureSize = { width: number; height: number };

const FULL_HD: PictureSize = { width: 1920, height: 1080 };
/** In steps of brightness: of all three channels together, and of each by itself, as a camera's sensor has them. */
const COMMON_NOISE = 3;
const CHANNEL_NOISE = 1.25;

/**
 * A picture like a photograph, the same every time: hills under a bright sky, with the noise of a camera. RGB, 3 bytes a
 * pixel; 2.5 MB as a PNG of full HD size.
 */
export function photographicPicture({ width, height } = FULL_HD): Buffer {
  const random = noiseSource();
  const rgb = Buffer.alloc(width * height * 3);
  let at = 0;
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const common = random() * COMMON_NOISE;
      for (const brightness of scene(column / width, row / height)) {
        const value = Math.round(brightness + common + random() * CHANNEL_NOISE);
        rgb[at++] = Math.max(0, Math.min(255, value));
      }
    }
  }
  return rgb;
}

/** Shows the picture on the root window of the display in `environment`, and returns when it is there. */
export function showPicture(environment: NodeJS.ProcessEnv, size = FULL_HD): void {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-picture-'));
  const file = join(folder, 'picture.ppm');
  const header = Buffer.from(`P6\n${size.width} ${size.height}\n255\n`);
  const rgb = photographicPicture(size);
  writeFileSync(file, Buffer.concat([header, rgb]));
  // ImageMagick's display ends with exit code 1 even when it has done what it was asked; so look.
  spawnSync('display', ['-window', 'root', file], { env: environment, stdio: 'ignore' });
  rmSync(folder, { recursive: true });
  const corner = spawnSync('import', ['-window', 'root', '-crop', '8x1+0+0', '-depth', '8', 'rgb:-'], {
    env: environment,
  });
  if (!corner.stdout.equals(rgb.subarray(0, 24))) throw new Error('the picture is not on the root window');
}

/** Red, green and blue of the scene without noise; `x` and `y` from 0 to 1. */
function scene(x: number, y: number): [number, number, number] {
  const hills = Math.sin(x * 9 + Math.sin(y * 5) * 2) * 0.5 + 0.5;
  const sun = Math.exp(-((x - 0.7) ** 2 + (y - 0.3) ** 2) * 6);
  return [60 + 120 * y + 70 * sun + 20 * hills, 90 + 60 * hills * y + 60 * sun + 40 * x, 200 - 130 * y + 40 * sun];
}

/** Numbers from -1 to 1, near 0 most often: the sum of two even ones (xorshift, 32 bits). */
function noiseSource(): () => number {
  let state = 0x12345678;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return ((state & 0xffff) + ((state >>> 16) & 0xffff)) / 0xffff - 1;
  };
}
